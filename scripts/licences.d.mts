/** The licences of every package that runs in a plant, as one text; `root` is the project's folder. */
export declare function licencesText(root: string): string
