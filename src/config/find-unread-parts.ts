import { type Dirent, readdirSync } from 'node:fs';
import path from 'node:path';
import { childKinds } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import { type Diagnostic, warning } from '../model/diagnostic.ts';
import { listFirst, missingNames } from '../model/fold-wordings.ts';
import { byText } from '../model/graph.ts';
import { type FoundFile, isYaml, readTopLevelKeys } from './find-files.ts';
import { addedKeys } from './read-header.ts';

const mostNamedParts = 3;

/**
 * Returns a warning about YAML files in the working directory that look like parts of the configuration but
 * were not read. Without `-f` only a default path such as `trueup.yaml` or the folder `trueup` is read, so
 * files that `export --out-dir .` wrote would be ignored silently. `foundFiles`: the files that were read, or
 * left out on purpose.
 */
export async function findUnreadParts(
  { cwd, paths, text, kinds }: { cwd: string; paths?: string[]; text?: string; kinds: Kinds },
  foundFiles: FoundFile[],
): Promise<Diagnostic[]> {
  if (paths || text !== undefined) return [];
  const sections = childKinds(kinds, undefined).map(({ section }) => section);
  const keys: PartKeys = { declaring: new Set([...sections, 'patches', 'use']), others: new Set(addedKeys) };
  const readNames = new Set(foundFiles.map(({ name }) => name));
  const candidates = listEntries(cwd)
    .filter((entry) => entry.isFile() && isYaml(entry.name) && !readNames.has(entry.name))
    .map(({ name }) => name)
    .sort(byText);
  const parts: string[] = [];
  for (const name of candidates)
    if (isPart(await readTopLevelKeys(path.join(cwd, name)), keys)) parts.push(name);
  if (parts.length === 0) return [];
  const [look, was] = parts.length === 1 ? ['looks like a part', 'was'] : ['look like parts', 'were'];
  return [
    warning(
      'file/not-read',
      `${listFirst(parts, mostNamedParts)} ${look} of the configuration, but ${was} not read`,
      { hint: 'to read all files of this folder, pass it: -f .' },
    ),
  ];
}

/**
 * Returns the entries of a folder; none if it cannot be read. Waits for the disk, because asynchronous calls start threads, and `validate`
 * makes no other such call.
 */
function listEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/**
 * Returns problems in which the hint about an undeclared name first asks whether a file that was not read declares it. The usual hint alone
 * would have people declare the name a second time. `unreadParts`: the warning about such files; if it is empty, the problems stay as they
 * are.
 */
export function withUnreadHints(problems: Diagnostic[], unreadParts: readonly Diagnostic[]): Diagnostic[] {
  if (unreadParts.length === 0) return problems;
  return problems.map((diagnostic) => {
    if (!missingNames.has(diagnostic.code)) return diagnostic;
    const otherwise = diagnostic.hint === undefined ? '' : ` Otherwise: ${diagnostic.hint}`;
    const hint = `is it declared in a file that was not read? Then pass -f .${otherwise}`;
    return { ...diagnostic, hint };
  });
}

/** The top-level keys by which a part of a configuration is recognized. */
interface PartKeys {
  /** Keys under which objects are declared or changed. If a file with them is not read, the plan differs, and no error says so. */
  declaring: ReadonlySet<string>;
  /** Keys that a part may also have, such as `secrets`. A file with only these may be one that other configurations include. */
  others: ReadonlySet<string>;
}

/**
 * True if a file has only keys of a part of a configuration, and at least one under which objects are declared or changed. A file with
 * `stack` is a configuration of its own.
 */
function isPart(keys: readonly string[], { declaring, others }: PartKeys): boolean {
  return keys.some((key) => declaring.has(key)) && keys.every((key) => declaring.has(key) || others.has(key));
}
