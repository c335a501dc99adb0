/** The destination of an export: one file, a folder, or with neither of them the output of the command. */
export interface ExportPlaces {
  /** The path of the main file. */
  out?: string;
  /** The folder for one file per area. */
  outDir?: string;
  /** True if existing files may be overwritten. */
  force?: boolean;
}
