/**
 * A plan without a key must not confirm guesses.
 *
 * The plan of a pull request has a token that reads secrets, such as encrypted variables. Its author writes values and reads the plan. If
 * it compared the two, the author could try values until the plan says that nothing changes. So without a key a declared value is not
 * compared with a live secret (unless the run writes; writing in CI needs a key), and the outcome is the same whether the guess is right or
 * wrong:
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

import { comparedFields, type Leaf, leavesOf } from '../kind/compare.ts';
import type { recordedDigestAt } from '../kind/digests.ts';
import { isAppliedOpenly } from '../kind/disclosure.ts';
import type { FieldSchemas, Kind } from '../kind/kind.ts';
import type { FieldCause } from '../model/change.ts';
import type { LedgerKey } from '../model/digest.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import { type Fields, type Value, withoutPaths } from '../model/value.ts';

/** The live fields of an object, with the ledger's entry of it. */
interface GuessContext {
  schemas: FieldSchemas;
  /** The version of the normal form in use. */
  form: number;
  live: Fields;
  /** The ledger's entry of the object. */
  entry?: LedgerEntry | undefined;
  key?: LedgerKey | undefined;
  /** See `PlanInput`. */
  isWritingRun?: boolean | undefined;
}

/**
 * True if comparing a leaf (a declared value that is compared separately) with the live value would reveal whether it equals a live secret:
 * the author of a pull request could guess the secret. `decideGuess` decides about such a leaf without the live value.
 */
export function isGuess(leaf: Leaf, liveValue: Value | undefined, context: GuessContext): boolean {
  const { key, isWritingRun, entry, schemas, live } = context;
  if (key || isWritingRun || liveValue === undefined || liveValue === null) return false;
  const isSecretField = leavesOf(schemas, live).some(
    ({ path, traits }) => arePathsNested(path, leaf.path) && traits.secret !== undefined,
  );
  const wasSecret = entry?.secrets[leaf.path] !== undefined;
  // A live value that was applied as clear text is no secret.
  return (isSecretField || wasSecret) && !isAppliedOpenly(leaf, liveValue, context);
}

/**
 * Decides if a value that must not be compared with a live secret (see `isGuess`) has changed, only by the
 * last applied value. So the outcome is the same whether a guess of the secret is right or wrong, and the
 * plan of a pull request confirms none. `applied`: the digest of the last applied value. `form`: the version
 * of the kind's normal form; an entry of another version proves nothing.
 */
export function decideGuess(
  { path, value, traits, isSecret }: Leaf,
  applied: ReturnType<typeof recordedDigestAt>,
  { entry, form }: GuessContext,
): FieldCause | 'not compared' {
  // Without a key, only the digest of a clear text is comparable, and `isGuess` found that the account no longer shows that text. So
  // somebody changed the account, and if the desired value is not the applied one, the configuration was changed as well.
  if (applied.isComparable) return applied.matches(value, traits) ? 'drift' : 'conflict';
  const wasSecret = entry?.secrets[path] !== undefined;
  const isNewlyDeclared = entry?.form === form && !applied.isRecorded;
  // Clear text that replaces a secret, or that is declared for the first time, is an edit without any comparison.
  return !isSecret && (wasSecret || isNewlyDeclared) ? 'edit' : 'not compared';
}

/**
 * Returns live fields without the secrets among them, if there is no ledger key and the run does not write: otherwise the author of a pull
 * request could guess a secret until the plan shows no difference. Used for rules of a kind that compare desired and live fields
 * themselves, because `diff` has its own check, and for rehearsals. A value that was applied in clear text is no secret, and stays.
 */
export function withoutGuessable(
  kind: Kind,
  live: Fields,
  recorded: Pick<GuessContext, 'entry' | 'key' | 'isWritingRun'>,
): Fields {
  if (recorded.key || recorded.isWritingRun) return live;
  const schemas = comparedFields(kind);
  const context = { ...recorded, schemas, form: kind.form ?? 1, live };
  // Whether a live value is a secret does not depend on the guess, so the live value itself stands in for it.
  const secretPaths = leavesOf(schemas, live)
    .filter((leaf) => isGuess(leaf, leaf.value, context))
    .map(({ path }) => path);
  return secretPaths.length > 0 ? withoutPaths(live, secretPaths) : live;
}

/** True if two paths are the same, or one is a member of the other: `env` and `env.name`. */
export const arePathsNested = (a: string, b: string): boolean =>
  a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`);
