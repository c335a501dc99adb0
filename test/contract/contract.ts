import type { Kind } from '../../src/kind/kind.ts';
import { type Finding, folder, type Given, given, kebab } from './given.ts';
import { endpointFindings, fieldFindings, placeFindings } from './of-kind.ts';
import { sampleFindings } from './of-sample.ts';
import { twinFindings } from './of-twin.ts';

/**
 * All that is missing for a kind, or wrong with it, as far as the declarations tell: for each thing one message, which says where
 * it goes. A kind with findings is tried no further.
 */
export function missing(kind: Kind, of: Given = given): string[] {
  const own = [placeFindings, fieldFindings, endpointFindings].flatMap((rule) => rule(kind, of));
  // The twin and the sample are held against the kind: what is wrong with it would be said of them once more.
  return own.length > 0 ? own : [twinFindings, sampleFindings].flatMap((rule) => rule(kind, of));
}

/** What is missing for those that are in a list, and is not: a kind in the index, a kind for a sample. */
export function unlisted({ kinds, files, samples }: Given = given): Finding[] {
  const names = kinds.map(({ name }) => name);
  return [
    ...[...files]
      .filter(([name]) => !names.includes(name))
      .map(([kind, file]) => ({
        kind,
        message: `${file} declares it, and ${folder}/index.ts does not name it: import it there, and put it behind what it refers to`,
      })),
    ...Object.keys(samples)
      .filter((name) => !names.includes(name) && !files.has(name))
      .map((kind) => ({
        kind,
        message: `test/samples/${kebab(kind)}.ts is the sample of no kind: export it under the name of one`,
      })),
  ];
}

const known = new Map<Kind, string[]>();

/** What is missing for a kind that is really there, found once. */
export function missingFor(kind: Kind): string[] {
  const found = known.get(kind) ?? missing(kind);
  known.set(kind, found);
  return found;
}

/** Throws what is missing for a kind, before anything is tried with it. */
export function expectWhole(kind: Kind): void {
  const found = missingFor(kind);
  if (found.length > 0) throw new Error(found.map((message) => `${kind.name}: ${message}`).join('\n'));
}
