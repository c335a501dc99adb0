import type { FileTexts, WrittenConfiguration } from '../config/configuration.ts';

/** A file of the configuration that gets another text. */
export interface ChangedFile {
  /** The real path. */
  path: string;
  /** The path as messages show it. */
  name: string;
  before: string;
  after: string;
}

/** Reads a configuration with new texts of some files, so that a command knows what they mean before it writes them. */
export type Reload = (texts: FileTexts) => Promise<WrittenConfiguration>;

/** Returns the new texts of changed files. */
export const newTextsOf = (files: readonly ChangedFile[]): FileTexts =>
  new Map(files.map(({ path, after }) => [path, after]));

/**
 * Returns the files that a command writes (`trueup remove`, for example), after further changes. A file that was changed before keeps its
 * first text as `before`.
 */
export function addChanges(files: readonly ChangedFile[], further: readonly ChangedFile[]): ChangedFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  for (const file of further)
    byPath.set(file.path, { ...file, before: byPath.get(file.path)?.before ?? file.before });
  return [...byPath.values()];
}
