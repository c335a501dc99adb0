/*
 * Makes the part of a snapshot anonymous: every text of the account and of the configuration becomes a pseudonym, the same in all places,
 * so that a plan of it has the same changes.
 *
 * The ledger has digests of values. They are computed again from the renamed values, since otherwise each field would look changed.
 * `find-plain-digests.ts` finds the value behind each digest. A digest without a value gets a pseudonym, which equals no digest.
 */
import { comparedFields, schemaAt, toComparable } from '../../kind/compare.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import { type FieldTraits, traitsOf } from '../../kind/traits.ts';
import { digest } from '../../model/digest.ts';
import type { Value } from '../../model/value.ts';
import { setOwn } from '../../model/walk.ts';
import type { StackPart } from '../snapshot.ts';
import type { PlainDigests } from './find-plain-digests.ts';
import type { Pseudonyms } from './pseudonyms.ts';

/** Members whose texts are sentences of trueup or of the platform. They may quote anything. */
const sentenceMembers = new Set(['message', 'hint', 'reason', 'why', 'are', 'cause', 'lastRun', 'error']);

/** The places of problems inside a value: `true` for a problem or a list of them, otherwise the members that have some. */
type ProblemPlaces = true | { readonly [member: string]: ProblemPlaces };

const readError: ProblemPlaces = { error: { problems: true } };
const desired: ProblemPlaces = { findingRules: true };

/**
 * The places in a part of a snapshot that have problems of trueup itself, through any lists. Only there the code of a problem is a word of
 * trueup. Member names alone do not tell: JSON of the user may have a member `problems`, too.
 */
const problemPlaces: ProblemPlaces = {
  ledgerWarnings: true,
  secretProblems: true,
  reads: { answer: readError },
  events: readError,
  configuration: { diagnostics: true, desired, siblings: { desired } },
};

/**
 * Returns a copy of one stack's part of a snapshot (the file from which a plan can be made again) in which pseudonyms replace all names and
 * values, so that users can show it to others (`plan --snapshot --anonymous`). A ledger in it has digests of values, which a plan compares
 * with the values of the account. So each digest that `plainDigests` has is computed again, from the pseudonym of its value. Any other
 * digest gets a pseudonym itself. A member may consist of several digests with spaces between them.
 */
export function anonymizePart(
  part: StackPart,
  pseudonyms: Pseudonyms,
  kinds: Kinds,
  plainDigests: PlainDigests,
): StackPart {
  const { ledger, otherStacks, ...otherMembers } = part;
  const renaming = { pseudonyms, kinds, plainDigests };
  return {
    ...(renameValue(otherMembers, pseudonyms, '', problemPlaces) as typeof otherMembers),
    ledger: anonymizeLedger(ledger, renaming) as typeof ledger,
    otherStacks: anonymizeLedger(otherStacks, renaming) as typeof otherStacks,
  };
}

/** What renaming a ledger needs: `plainDigests` has the values behind its digests. */
interface LedgerRenaming {
  pseudonyms: Pseudonyms;
  kinds: Kinds;
  plainDigests: PlainDigests;
}

/**
 * Returns a copy of a ledger, or of a value in one, for an anonymous snapshot: with pseudonyms instead of texts, and with digests that are
 * computed again from pseudonyms (`plainDigests`: those with known values). A text can be several digests with spaces between them.
 * `outerKind`: the kind of the entry around the value; a value that is an entry names its own.
 */
function anonymizeLedger(value: unknown, renaming: LedgerRenaming, outerKind?: Kind): unknown {
  const { pseudonyms, kinds, plainDigests } = renaming;
  if (Array.isArray(value)) return value.map((item) => anonymizeLedger(item, renaming, outerKind));
  if (typeof value === 'string' && plainDigests.has(value)) return renameDigests(value, {}, renaming);
  if (typeof value !== 'object' || value === null) return renameValue(value, pseudonyms);
  const kind = kinds.get(String((value as { kind?: unknown }).kind)) ?? outerKind;
  const members: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const isDigest = typeof member === 'string' && member.split(' ').some((text) => plainDigests.has(text));
    const renamed = isDigest
      ? renameDigests(member, traitsAtPath(kind, name), renaming)
      : anonymizeLedger(member, renaming, kind);
    setOwn(members, pseudonyms.rename(name), renamed);
  }
  return members;
}

/**
 * Returns the text for an anonymous snapshot that replaces a digest in a ledger, or several with spaces between them: the digest of the
 * value's pseudonym, or a pseudonym of the digest itself if no value is known for it. `traits`: those of the field whose value was
 * digested.
 */
function renameDigests(
  text: string,
  traits: FieldTraits,
  { pseudonyms, plainDigests }: Omit<LedgerRenaming, 'kinds'>,
): string {
  const renameDigest = (single: string): string => {
    const origin = plainDigests.get(single);
    if (!origin) return pseudonyms.rename(single);
    const renamedValue = renameValue(origin.value, pseudonyms) as Value;
    const renamedDigest = digest(pseudonyms.rename(origin.salt), toComparable(renamedValue, traits));
    // Some digests are stored shortened.
    return renamedDigest.slice(0, single.length);
  };
  return text.split(' ').map(renameDigest).sort().join(' ');
}

/**
 * Returns a copy of JSON data for an anonymous snapshot, with pseudonyms for its texts, for numbers that are ids, and for names of members.
 * `memberName`: the name of the member that has the value, which decides how the value is renamed. `problems`: the places of problems
 * (diagnostics of trueup) in the value, whose codes are words of trueup and stay; undefined if it has none.
 */
function renameValue(
  value: unknown,
  pseudonyms: Pseudonyms,
  memberName = '',
  problems?: ProblemPlaces,
): unknown {
  if (typeof value === 'string') {
    if (problems === true && (memberName === 'code' || memberName === 'codes')) return value;
    const isSentence = sentenceMembers.has(memberName) && /\s/.test(value);
    return isSentence ? pseudonyms.renameSentence(value) : pseudonyms.rename(value);
  }
  if (typeof value === 'number') return /Id$|^id$/.test(memberName) ? pseudonyms.renameNumber(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => renameValue(item, pseudonyms, memberName, problems));
  const members: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const isKnownPlace = typeof problems === 'object' && Object.hasOwn(problems, name);
    const problemsInMember = isKnownPlace ? problems[name] : problems === true || undefined;
    setOwn(members, pseudonyms.rename(name), renameValue(member, pseudonyms, name, problemsInMember));
  }
  return members;
}

/** Returns the traits of the field at a dotted path; none if the kind has no such field. */
function traitsAtPath(kind: Kind | undefined, path: string): FieldTraits {
  const schema = kind && schemaAt(comparedFields(kind), path);
  return schema ? traitsOf(schema) : {};
}
