/** MariaDB's server and the program that makes its folder; null when either is missing. */
export declare function findMariadb(): { server: string; installer: string } | null

/** All that a cluster of MariaDB nodes behind HAProxy needs on one machine; null when some of it is missing. */
export declare function findGalera(): { server: string; installer: string; client: string; haproxy: string } | null

/** What the variable CHROMIUM names, else Chromium or Chrome from the PATH. */
export declare function findChromium(): string | null

/** What CHROMIUM names, else the browser without its window, else the whole one. */
export declare function findHeadlessChromium(): string | null

/** LibreOffice, to open what we write for spreadsheets. */
export declare function findSpreadsheet(): string | null

/** OpenLDAP's server, where its overlay for groups is too. */
export declare function findSlapd(): string | null
