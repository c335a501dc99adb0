/**
 * A plan without a key must not confirm guesses.
 *
 * The plan of a pull request has a token that reads secrets, such as encrypted variables. Its author writes values and reads the plan. If it
 * compared the two, the author could try values until the plan says that nothing changes. So without a key a declared value is not compared
 * with a live secret (unless the run writes, which takes a key in CI), and the outcome is the same whether the guess is right or wrong:
 *
 * | Last applied                | Declared    | Outcome      |
 * | --------------------------- | ----------- | ------------ |
 * | clear text, and still live  | anything    | compared: the live value is no secret |
 * | clear text, another is live | as applied  | drift        |
 * | clear text, another is live | anything    | conflict     |
 * | a secret, or not this field | clear text  | edit         |
 * | a secret, or not this field | a secret    | not compared |
 * | nothing, or in another form | anything    | not compared |
 */
import type { recordedDigestAt } from '../kind/digests.ts';
import { isAppliedOpenly } from '../kind/disclosure.ts';
import type { FieldSchemas, Kind } from '../kind/kind.ts';
import { comparedFields, type Leaf, leavesOf, withoutPaths } from '../kind/leaves.ts';
import type { FieldCause } from '../model/change.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import type { Fields, Value } from '../model/value.ts';

/** The live object of a comparison, and the ledger's entry of it. */
interface GuessContext {
  schemas: FieldSchemas;
  form: number;
  live: Fields;
  entry?: LedgerEntry | undefined;
  key?: LedgerKey | undefined;
  /** See `PlanInput`. */
  isWritingRun?: boolean | undefined;
}

/** True if comparing would tell the author of a declared value whether it is the live secret. */
export function isGuess(leaf: Leaf, liveValue: Value | undefined, comparison: GuessContext): boolean {
  const { key, isWritingRun, entry, schemas, live } = comparison;
  if (key || isWritingRun || liveValue === undefined || liveValue === null) return false;
  const isSecretField = leavesOf(schemas, live).some(
    ({ path, traits }) => arePathsNested(path, leaf.path) && traits.secret !== undefined,
  );
  return (
    (isSecretField || entry?.secrets[leaf.path] !== undefined) &&
    !isAppliedOpenly(leaf, liveValue, comparison)
  );
}

/** The outcome for a guess. */
export function decideGuess(
  { path, value, traits, isSecret }: Leaf,
  last: ReturnType<typeof recordedDigestAt>,
  { entry, form }: GuessContext,
): FieldCause | 'not compared' {
  if (last.isComparable) return last.matches(value, traits) ? 'drift' : 'conflict';
  const isEdit = entry?.secrets[path] !== undefined || (entry?.form === form && !last.isRecorded);
  return isEdit && !isSecret ? 'edit' : 'not compared';
}

/** Live fields without those that a declared value could be a guess of, for rules that compare by themselves. */
export function withoutGuessable(
  kind: Kind,
  live: Fields,
  comparison: Pick<GuessContext, 'entry' | 'key' | 'isWritingRun'>,
): Fields {
  if (comparison.key || comparison.isWritingRun) return live;
  const schemas = comparedFields(kind);
  const whole = { ...comparison, schemas, form: kind.form ?? 1, live };
  const guessable = leavesOf(schemas, live).filter((leaf) => isGuess(leaf, leaf.value, whole));
  return guessable.length > 0
    ? withoutPaths(
        live,
        guessable.map(({ path }) => path),
      )
    : live;
}

/** True if one of two paths is the other one, or in it. */
export const arePathsNested = (a: string, b: string) =>
  a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`);
