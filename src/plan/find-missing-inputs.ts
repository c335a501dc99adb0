/*
 * Finds out which files of the last apply a configuration was not read from, so that a forgotten file deletes nothing.
 *
 * Terms: a rooted name begins with `/`. It starts at the top of a repository and means the same everywhere. A loose name starts at an
 * unknown folder: there is no repository, or an earlier version recorded the name from its working directory. Loose names are compared with
 * the names of this run by adding or removing one folder in front of all of them. The folder that leaves the fewest files missing counts;
 * if no folder fits any file, all loose files are missing.
 */
import { type Desired, standardInput } from '../model/resource.ts';

/** The files and the completely read folders of a configuration. */
type ConfigurationFiles = Pick<Desired, 'inputs' | 'folders'>;

/**
 * Returns the recorded files of the last apply that this configuration was not read from (a forgotten `-f`), because the plan would count
 * their objects as removed and delete them. A file that is missing from a completely read folder was deleted on purpose, and does not
 * count.
 */
export function findMissingInputs(
  recordedFiles: string[],
  { inputs, folders }: ConfigurationFiles,
): string[] {
  const isFile = (name: string) => name !== standardInput;
  const missingFiles = findMissingFiles(recordedFiles.filter(isFile), {
    inputs: inputs.filter(isFile),
    folders,
  });
  const lacksStandardInput = recordedFiles.includes(standardInput) && !inputs.includes(standardInput);
  return [...missingFiles, ...(lacksStandardInput ? [standardInput] : [])];
}

/** Turns a loose name into a name of this run, by another folder in front; undefined if the name is not in the folder that is removed. */
type Rebase = (name: string) => string | undefined;

/** The files that this run read, and the folders that it read completely, as names without the leading `/`. */
interface ReadNames {
  files: ReadonlySet<string>;
  completeFolders: readonly string[];
}

/**
 * Returns those recorded files that this run did not read: their objects would look removed. A file that is gone from a completely read
 * folder was deleted on purpose, and does not count. A rooted name (`/config/web.yaml`, from the top of the repository) is looked up
 * directly, and a loose one by `findMissingLooseFiles`.
 */
function findMissingFiles(recordedFiles: string[], { inputs, folders }: ConfigurationFiles): string[] {
  const read: ReadNames = {
    files: new Set(inputs.map(withoutRoot)),
    completeFolders: folders.map(withoutRoot),
  };
  // If this run has loose names itself, no name can be looked up directly.
  const areInputsRooted = inputs.every(isRooted);
  const isLoose = (name: string) => !areInputsRooted || !isRooted(name);
  const missingLooseFiles = findMissingLooseFiles(recordedFiles.filter(isLoose), read);
  return recordedFiles.filter((name) =>
    isLoose(name) ? missingLooseFiles.has(name) : isUnread(withoutRoot(name), read),
  );
}

/** True if this run did not read a file, unless the file was deleted from a folder that was read completely. */
function isUnread(name: string, { files, completeFolders }: ReadNames): boolean {
  const isInCompleteFolder =
    !name.startsWith('../') && completeFolders.some((folder) => folder === '' || isIn(name, folder));
  return !files.has(name) && !isInCompleteFolder;
}

/**
 * Returns those loose files of the last apply that this run did not read. A loose name starts at an unknown folder: `web.yaml` may be
 * `config/web.yaml` of this run. So each possible start folder is tried for all loose names, and the one with the fewest missing files
 * counts. If none fits any file, all are missing.
 */
function findMissingLooseFiles(looseFiles: string[], read: ReadNames): ReadonlySet<string> {
  // If all loose files lie above their start folder, the common `../` do not matter.
  const commonUps = Math.min(...looseFiles.map((name) => /^(\.\.\/)*/.exec(name)![0].length));
  const nameFromStart = (name: string) => withoutRoot(name).slice(commonUps);
  const namesOfRun = [...read.files, ...read.completeFolders.map((folder) => `${folder}/`)];
  const filesByRebase = listRebases(looseFiles.map(nameFromStart), namesOfRun)
    .map((rebase) => looseFiles.map((name) => ({ name, nameOfRun: rebase(nameFromStart(name)) })))
    .filter((files) => files.some(({ nameOfRun }) => read.files.has(nameOfRun ?? '')));
  const missingByRebase = filesByRebase
    .map((files) => files.filter(({ nameOfRun }) => nameOfRun === undefined || isUnread(nameOfRun, read)))
    .sort((a, b) => a.length - b.length);
  return new Set(missingByRebase[0]?.map(({ name }) => name) ?? looseFiles);
}

/**
 * Returns all ways to turn loose names (of recorded files, from an unknown start folder: they were recorded without a repository, or by an
 * earlier version) into names of this run. One of them is right, because all loose names start in the same folder. `namesOfRun`: files and
 * folders (with `/` at the end) of this run.
 */
const listRebases = (looseNames: string[], namesOfRun: string[]): Rebase[] => [
  // The loose names start in a folder below the start of this run, so that folder is put in front.
  ...enclosingFolders(namesOfRun).map(
    (folder): Rebase =>
      (name) =>
        joinPath(folder, name),
  ),
  // Or in a folder above it, so that the path down to the start of this run is removed.
  ...enclosingFolders(looseNames).map(
    (folder): Rebase =>
      (name) =>
        isIn(name, folder) ? name.slice(folder.length + 1) : undefined,
  ),
];

const isRooted = (name: string): boolean => name.startsWith('/');

const isIn = (name: string, folder: string): boolean => name.startsWith(`${folder}/`);

/** Returns a name without the leading `/`; an empty text for the start folder itself. */
const withoutRoot = (name: string): string => (name === '.' ? '' : name.replace(/^\//, ''));

/**
 * Joins a folder and a name that is relative to it, for comparing the files that the last apply recorded with those that this run read.
 * Each leading `..` of the name leads one folder up, and stays if there is no folder above.
 */
function joinPath(folder: string, name: string): string {
  const parents = folder === '' ? [] : folder.split('/');
  const parts = name.split('/');
  while (parts[0] === '..' && parents.length > 0) {
    parents.pop();
    parts.shift();
  }
  return [...parents, ...parts].join('/');
}

/**
 * Returns the folders of names and all folders above them, each once. Used to find the start folder of a loose name (a recorded file name
 * whose start folder is unknown): it may be any of these.
 */
function enclosingFolders(names: string[]): string[] {
  const folders = new Set(['']);
  for (const name of names)
    for (let index = name.lastIndexOf('/'); index > 0; index = name.lastIndexOf('/', index - 1))
      folders.add(name.slice(0, index));
  return [...folders];
}
