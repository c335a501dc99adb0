import type { Desired } from '../model/resource.ts';

/**
 * Finds the files in a ledger that a configuration was not read from. A file missing from a folder that was read whole was deleted,
 * and does not count.
 *
 * Names that begin with `/` start at the top of a repository, and mean the same everywhere. The others start at a folder that is not
 * known: there is no repository, or an earlier version has noted them from where it was started. They are compared as they fit best,
 * all of them below one and the same folder more, or with one folder less; where none of them is read in any way, all are missing.
 */
export function missingInputs(
  remembered: string[],
  { inputs, folders }: Pick<Desired, 'inputs' | 'folders'>,
): string[] {
  const read = new Set(inputs.map(fromStart));
  const whole = folders.map(fromStart);
  const isGone = (name: string) =>
    whole.some((folder) => folder === '' || name.startsWith(`${folder}/`)) && !name.startsWith('../');
  const isMissing = (name: string | undefined) => name === undefined || !(read.has(name) || isGone(name));

  const areRooted = inputs.every(isRooted);
  const isCertain = (name: string) => areRooted && isRooted(name);
  const loose = remembered.filter((name) => !isCertain(name));
  // Where all lie outside of the folder that they start at, that one does not matter.
  const ups = Math.min(...loose.map((name) => /^(\.\.\/)*/.exec(name)![0].length));
  const startOf = (name: string) => fromStart(name).slice(ups);
  const ways = [
    ...foldersOf([...read, ...whole.map((folder) => `${folder}/`)]).map(
      (folder) => (name: string) => joined(folder, name),
    ),
    ...foldersOf(loose.map(startOf)).map(
      (folder) => (name: string) => (isIn(name, folder) ? name.slice(folder.length + 1) : undefined),
    ),
  ];
  const fits = ways
    .filter((way) => loose.some((name) => read.has(way(startOf(name)) ?? '')))
    .map((way) => new Set(loose.filter((name) => isMissing(way(startOf(name))))))
    .sort((one, other) => one.size - other.size);
  const missing = fits[0] ?? new Set(loose);
  return remembered.filter((name) => (isCertain(name) ? isMissing(fromStart(name)) : missing.has(name)));
}

const isRooted = (name: string) => name.startsWith('/');
const isIn = (name: string, folder: string) => name.startsWith(`${folder}/`);
/** A name from the folder that it starts at; that folder itself is the empty one. */
const fromStart = (name: string) => (name === '.' ? '' : name.replace(/^\//, ''));

/** A name with `..` in front leads out of as many folders; it keeps those that there are not. */
function joined(folder: string, name: string): string {
  const parts = folder === '' ? [] : folder.split('/');
  const rest = name.split('/');
  while (rest[0] === '..' && parts.length > 0) {
    parts.pop();
    rest.shift();
  }
  return [...parts, ...rest].join('/');
}

/** The folders that names lie in, each once, with those above them. */
function foldersOf(names: string[]): string[] {
  const found = new Set(['']);
  for (const name of names)
    for (let at = name.lastIndexOf('/'); at > 0; at = name.lastIndexOf('/', at - 1))
      found.add(name.slice(0, at));
  return [...found];
}
