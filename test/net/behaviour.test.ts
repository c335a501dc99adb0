import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { kinds } from '../../providers/hosting/kinds/index.ts';
import { defaultSwitches, otherSwitches } from '../../providers/hosting/twin/index.ts';
import { sampled } from '../support/sweep.ts';
import { digest, foldParagraphs, goldenText, unifiedDiff } from './golden-text.ts';
import { playKind, type StepRecord, stepTitles } from './play.ts';

/*
 * Records what the tool does for every field of every kind, so that a refactoring can prove that it changes nothing:
 *
 *   behaviour.json    digests of the requests and ledgers      TRUEUP_NET=behaviour npx vitest run test/net
 *   texts/KIND.txt    what plan and apply print, as text       TRUEUP_NET=texts npx vitest run test/net
 *
 * Each command records one of the two; `-t KIND` restricts it. Recording texts fails for a kind whose behaviour changed, so that a rewording
 * cannot hide a changed request. Without TRUEUP_NET both are compared: a sample of the kinds in the suite, all with TRUEUP_SWEEP=all.
 */
type Recording = 'behaviour' | 'texts';
const recording = process.env.TRUEUP_NET as Recording | undefined;
if (![undefined, 'behaviour', 'texts'].includes(recording))
  throw new Error(`TRUEUP_NET is "behaviour" or "texts", not "${recording}"`);

const ways = { default: defaultSwitches, other: otherSwitches };
const recordedParts = ['requests', 'ledger'] as const;

const behaviourFile = path.join(import.meta.dirname, 'behaviour.json');
/** Digests by kind, switches, step and part, for example `project other 2 ledger`. */
const recordedDigests = JSON.parse(readFileSync(behaviourFile, 'utf8')) as Record<string, string>;
const currentDigests: Record<string, string> = {};

const textFile = (kindName: string): string => path.join(import.meta.dirname, 'texts', `${kindName}.txt`);
const kindNames = kinds.map(({ name }) => name);

/** All keys of `recordedDigests`, in their order in the file. */
const digestKeys = Object.keys(ways).flatMap((way) =>
  kindNames.flatMap((kindName) =>
    stepTitles.flatMap((_, step) => recordedParts.map((part) => `${kindName} ${way} ${step} ${part}`)),
  ),
);

afterAll(() => {
  if (recording !== 'behaviour') return;
  const merged = { ...recordedDigests, ...currentDigests };
  const sorted = Object.fromEntries(digestKeys.map((key) => [key, merged[key]]));
  writeFileSync(behaviourFile, `${JSON.stringify(sorted, undefined, 2)}\n`);
});

/** Texts behind the digests, as the last runs left them. They show what changed, because a digest cannot. */
const cache = path.resolve(import.meta.dirname, '../../node_modules/.cache/trueup/net');
mkdirSync(cache, { recursive: true });

/** Notes the digests of one kind and returns a report of each that is not as recorded. */
function compareBehaviour(kindName: string, way: string, records: StepRecord[]): string[] {
  return records.flatMap((record, step) =>
    recordedParts.flatMap((part) => {
      const key = `${kindName} ${way} ${step} ${part}`;
      currentDigests[key] = digest(record[part]);
      const lastFile = path.join(cache, key);
      const isRecorded = currentDigests[key] === recordedDigests[key];
      if (isRecorded || recording === 'behaviour') {
        writeFileSync(lastFile, record[part]);
        return [];
      }
      writeFileSync(`${lastFile} now`, record[part]);
      const last = existsSync(lastFile) ? readFileSync(lastFile, 'utf8') : '';
      return digest(last) === recordedDigests[key]
        ? `${key}:\n${unifiedDiff(last, record[part], 1, 20)}`
        : `${key}: run this test once without your change to see what is different`;
    }),
  );
}

/** Fails with the first differences and the command that accepts all of them. */
function failWith(what: string, differences: string[], command: Recording): void {
  if (differences.length === 0) return;
  throw new Error(
    `${what}\n\n${differences.slice(0, 3).join('\n\n')}\n\nIf this is intended: TRUEUP_NET=${command} npx vitest run test/net`,
  );
}

describe('plans, sends, remembers and prints the same as recorded', () => {
  it.each(
    sampled(kinds, recording === undefined ? 2 : kinds.length).map((kind) => [kind.name, kind] as const),
  )('%s', async (name, kind) => {
    const withDefault = await playKind(kind, ways.default);
    const withOther = await playKind(kind, ways.other);
    const changed = [
      ...compareBehaviour(name, 'default', withDefault),
      ...compareBehaviour(name, 'other', withOther),
    ];
    if (recording === 'behaviour') return;
    failWith(`${changed.length} requests or ledgers of ${name} changed.`, changed, 'behaviour');
    const text = goldenText(kind, withDefault, withOther);
    if (recording === 'texts') return writeFileSync(textFile(name), text);
    const recorded = existsSync(textFile(name)) ? readFileSync(textFile(name), 'utf8') : '';
    const difference = unifiedDiff(recorded, text, 1, 60);
    failWith(`Texts of ${name} changed.`, difference === '' ? [] : [difference], 'texts');
  });
});

it.skipIf(recording)('records each kind, and nothing else', () => {
  expect(Object.keys(recordedDigests)).toEqual(digestKeys);
  expect(readdirSync(path.dirname(textFile(''))).sort()).toEqual(
    kindNames.map((name) => `${name}.txt`).sort(),
  );
});

it('writes paragraphs that differ only in the object once', () => {
  const text = [
    '~ projects/check1made  trueup.yaml:4\n  a: 1',
    '~ projects/check1set  trueup.yaml:5\n  a: 1',
    '~ projects/check2made  trueup.yaml:6\n  a: 2',
    '~ projects/other  trueup.yaml:7\n  a: 1',
  ].join('\n\n');
  expect(foldParagraphs({ name: 'check' }, text)).toBe(
    [
      '~ projects/check1made  trueup.yaml:4\n  a: 1\n      [also 1set]',
      '~ projects/check2made  trueup.yaml:6\n  a: 2',
      '~ projects/other  trueup.yaml:7\n  a: 1',
    ].join('\n\n'),
  );
});
