import type { ChangedFile } from '../accept/accept.ts';
import { edited, type TextEdit } from '../accept/yaml-file.ts';
import type { Configuration } from '../config/load.ts';
import type { Spot } from '../config/yaml/source.ts';
import { textDiff } from '../report/value-diff.ts';

/**
 * The difference of files, without the secrets that stand in clear in them, or do from now on. `allowed`: the values that are written
 * although they may be secrets, as `ADDRESS FIELD`.
 */
export function acceptedDiff(
  files: readonly ChangedFile[],
  before: Configuration,
  after: Configuration,
  allowed: ReadonlySet<string>,
): string {
  const [old, now] = [masksOf(before), masksOf(after, allowed)];
  const names = (name: string) => ({ from: name, to: name });
  return files
    .map((file) =>
      textDiff(
        edited(file.before, old.get(file.name) ?? []),
        edited(file.after, now.get(file.name) ?? []),
        names(file.name),
      ),
    )
    .join('\n');
}

/** The hidden parts of a configuration's texts, by file. */
function masksOf(
  configuration: Configuration,
  allowed: ReadonlySet<string> = new Set(),
): Map<string, TextEdit[]> {
  const written = configuration.written();
  const found = new Map<string, [start: number, end: number][]>(
    written.files.map(({ source }) => [source.file, source.masked()]),
  );
  const add = ({ source, start, end }: Spot) => found.get(source.file)?.push([start, end]);
  for (const { block, units } of written.blocks)
    for (const { key, value } of block.own)
      if (units.some(({ address }) => allowed.has(`${address} ${key.text}`))) add(value.at);
  return new Map(
    [...found].map(([file, stretches]) => [
      file,
      apart(stretches).map(([start, end]) => ({ start, end, text: '(secret)' })),
    ]),
  );
}

/** Stretches without those that lie in others. */
const apart = (stretches: [start: number, end: number][]): [start: number, end: number][] =>
  stretches
    .sort(([a, b], [c, d]) => a - c || d - b)
    .reduce<[number, number][]>((kept, [start, end]) => {
      const last = kept.at(-1);
      if (!last || start >= last[1]) kept.push([start, end]);
      else last[1] = Math.max(last[1], end);
      return kept;
    }, []);
