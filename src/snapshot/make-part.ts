/*
 * Makes the part of a snapshot for one stack, after it was planned.
 */
import type * as z from 'zod';
import type { Kinds } from '../kind/kind.ts';
import { innerOf, shapeOf, traitsOf } from '../kind/traits.ts';
import { raise } from '../model/diagnostic.ts';
import type { LedgerKey } from '../model/digest.ts';
import { withAlternatives } from '../model/resource.ts';
import { createSecretFinder } from '../model/secret-finder.ts';
import { containsValue, mapMembers, visitDeep, visitMembers } from '../model/walk.ts';
import type { EmbeddedConfiguration } from './anonymous/embedded.ts';
import { assignTokens } from './assign-tokens.ts';
import { digestLiterals, listLiterals } from './literal-secrets.ts';
import type { PartSource, PlannedState } from './part-source.ts';
import type { SessionRecording } from './recording.ts';
import type { SecretTokens } from './secret-tokens.ts';
import type { KeyIds, StackPart } from './snapshot.ts';

/**
 * Returns the part of a snapshot for a stack that was just planned. `embed`: returns the configuration for an anonymous snapshot, in which each secret is
 * replaced by the result of the given function; absent for a usual snapshot, because a plan from it reads the files of the configuration. Throws
 * `Problems` if a secret would remain in the part.
 */
export async function makePart(
  session: PartSource,
  planned: PlannedState,
  recording: SessionRecording,
  embed?: (tokenOf: (secret: string) => string) => EmbeddedConfiguration,
): Promise<StackPart> {
  readPassedOnMembers(planned);
  const tokens = assignTokens(session, planned, recording.hiddenStretches);
  const { key, ledger, store, owner, account, origins } = session;
  const { reads, events, counts } = recording.reads.finish();
  const tokenOf = (secret: string) => tokens.replacementOf(secret);
  const configuration = embed?.(tokenOf);
  const otherStacks = [...(await session.otherStacks.readAll())];
  tokens.keepWords([...reads.map(({ request }) => request.endpoint), ...namesIn(configuration)]);
  const observed = {
    stack: session.desired.stack,
    time: session.clock.now(),
    owner,
    account,
    ledgerPlace: store.place,
    ledger,
    proof: store.proof(),
    otherStacks,
    readWithoutIndex: await session.otherStacks.countReadWithoutIndex(),
    areOthersUnknown: session.areOthersUnknown ?? false,
    ledgerWarnings: recording.ledgerWarningsIn(session.diagnostics),
    secretProblems: recording.secretProblems,
    reads: hideUnplannedSecrets(reads, session.kinds, planned, tokens),
    events,
    unusedFlags: session.sources?.unusedFlags() ?? [],
    counts,
    configuration,
  };
  const digests = recording.digests.finish(tokens, digestsIn([ledger, otherStacks]));
  const secrets = [...session.secrets].map(([name, value]) => ({
    name,
    source: origins.get(`secret ${name}`),
    token: tokenOf(value.reveal()),
  }));
  const stackPart = {
    ...(tokens.replaceIn(observed) as typeof observed),
    keyIds: keyIdsOf(key),
    digests,
    secrets,
    literals: digestLiterals(
      embed ? [] : listLiterals(session.desired).filter((literal) => tokens.hasToken(literal)),
      tokenOf,
    ),
  };
  if (isSecretInPart(stackPart, tokens))
    raise('snapshot/clear-secret', 'the snapshot was not written: it would contain a secret of this plan', {
      hint: 'plan without --snapshot; please report this, because no snapshot may have a secret',
    });
  if (!embed) refuseStatedSecrets(stackPart, planned);
  return stackPart;
}

/**
 * Throws `Problems` if a part has a stated secret: one that is no secret for its field, in the account or the configuration, but that a finding of the
 * plan calls a secret. There is no token for it: a plan from the snapshot would not find it, and so be another plan.
 */
function refuseStatedSecrets(part: StackPart, { statedSecrets = [] }: PlannedState): void {
  if (hasText(part, createSecretFinder(statedSecrets)))
    raise(
      'snapshot/clear-secret',
      'the snapshot was not written: it would contain a secret that a field of the account shows',
      { hint: 'repair what the finding says first, or use --anonymous' },
    );
}

/**
 * Reads every member of the objects of a plan through its tracked form (`ReadTracker`), so that the recorded answers have them all: the plan passes some
 * members on without reading them itself.
 */
function readPassedOnMembers({ live, input }: PlannedState): void {
  for (const { fields, rows, facts } of withAlternatives([
    ...live.resources.values(),
    ...input.live.resources.values(),
  ]))
    visitDeep([fields, rows, facts], () => visitMembers);
}

/** Returns the names of members in an embedded configuration, without those in fields, which users choose. */
function namesIn(configuration: EmbeddedConfiguration | undefined): Set<string> {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const part of value) visit(part);
    else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value)) {
        names.add(name);
        if (name !== 'fields') visit(member);
      }
  };
  visit(configuration);
  return names;
}

/** Returns the words in ledgers. Among them are their digests: several, separated by spaces, for a set. */
function digestsIn(ledgers: unknown): Set<string> {
  const words = new Set<string>();
  visitDeep(ledgers, (part) => {
    if (typeof part === 'string') for (const word of part.split(' ')) words.add(word);
    return visitMembers;
  });
  return words;
}

/** True if a text of a part holds a secret. A secret that is shown at another place may stand there, but never beside a digest of it. */
const isSecretInPart = (part: StackPart, tokens: SecretTokens): boolean =>
  hasText(part, (text) => tokens.holdsSecret(text) && !tokens.isShownSomewhere(text)) ||
  hasText(part.digests, (text) => tokens.holdsSecret(text));

/** True if JSON data has a text that passes a test, also as the name of a member. */
const hasText = (data: unknown, isMatch: (text: string) => boolean): boolean =>
  containsValue(data, (value) => {
    if (typeof value === 'string') return isMatch(value);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return visitMembers;
    return Object.keys(value).some(isMatch) || visitMembers;
  });

/** Returns the ids of a ledger key and of the key before it. */
const keyIdsOf = (key: LedgerKey | undefined): KeyIds => ({
  id: key?.id,
  legacy: key?.legacyKey?.id,
  previous: key?.previous && { id: key.previous.id, legacy: key.previous.legacyKey?.id },
});

/**
 * Returns the reads of a plan with tokens for the secrets of objects that the plan did not use, such as those that no configuration can declare: their
 * secrets are not among the sealed values of the plan. So each text in a member that may be secret counts as one.
 */
function hideUnplannedSecrets(
  reads: StackPart['reads'],
  kinds: Kinds,
  { live, input }: PlannedState,
  tokens: SecretTokens,
): StackPart['reads'] {
  const objects = [...live.resources.values(), ...input.live.resources.values()];
  const plannedIds = new Set(withAlternatives(objects).flatMap(({ ids }) => ids));
  const secretNames = new Map<string, Set<string>>();
  for (const kind of kinds.values()) {
    const names = Object.entries(kind.fields).flatMap(([name, schema]) => secretMemberNames(name, schema));
    if (names.length === 0) continue;
    const { endpoint, single, byId } = kind.read;
    for (const read of [endpoint, single?.endpoint, byId?.endpoint].flat())
      if (read) secretNames.set(read, new Set([...(secretNames.get(read) ?? []), ...names]));
  }
  const hide = (value: unknown, names: ReadonlySet<string>, isPlanned: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item) => hide(item, names, isPlanned));
    if (typeof value !== 'object' || value === null) return value;
    const { id } = value as { id?: unknown };
    const isPlannedObject = typeof id === 'string' ? plannedIds.has(id) : isPlanned;
    return mapMembers(value as Record<string, unknown>, (member, name) =>
      typeof member === 'string' && !isPlannedObject && names.has(name)
        ? tokens.register(member)
        : hide(member, names, isPlannedObject),
    );
  };
  return reads.map((read) => {
    const names = secretNames.get(read.request.endpoint);
    return names ? { ...read, answer: hide(read.answer, names, true) as typeof read.answer } : read;
  });
}

/** Returns the names of the members of a field that may be secret, at any depth. */
function secretMemberNames(name: string, schema: z.ZodType): string[] {
  if (traitsOf(schema).secret !== undefined) return [name];
  const shape = shapeOf(schema);
  if (shape) return Object.entries(shape).flatMap(([member, inner]) => secretMemberNames(member, inner));
  const inner = innerOf(schema);
  return inner ? secretMemberNames(name, inner) : [];
}
