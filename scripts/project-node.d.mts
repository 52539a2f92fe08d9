/** PATH with the project's Node and tools first, for programs that a command starts by name. */
export declare function projectPath(): string
