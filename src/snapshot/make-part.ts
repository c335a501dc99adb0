/*
 * Makes the part of a snapshot for one stack, after it was planned.
 */
import type * as z from 'zod';
import { comparedFields, leavesOf } from '../kind/compare.ts';
import { isKnownOpen, secretFinderOf } from '../kind/disclosure.ts';
import type { Kinds } from '../kind/kind.ts';
import { innerOf, shapeOf, traitsOf } from '../kind/traits.ts';
import type { LedgerStore } from '../ledger/ledger-store.ts';
import type { LedgerKey } from '../model/digest.ts';
import type { Ledger } from '../model/ledger.ts';
import { type LiveResource, withAlternatives } from '../model/resource.ts';
import { revealed, Sealed, sealedIn } from '../model/sealed.ts';
import { type Fields, fillHoles, type Value } from '../model/value.ts';
import { containsValue, mapMembers, visitDeep, visitMembers } from '../model/walk.ts';
import { createAttributeLookup } from '../plan/input.ts';
import type { OtherStacks } from '../run/other-stacks.ts';
import type { PlannedRun } from '../run/plan-run.ts';
import type { RunSession } from '../run/session.ts';
import type { EmbeddedConfiguration } from './anonymous/embedded.ts';
import { digestLiterals, listLiterals } from './literal-secrets.ts';
import { listOrdinaryWords } from './ordinary-words.ts';
import type { SessionRecording } from './recording.ts';
import { SecretTokens } from './secret-tokens.ts';
import type { KeyIds, StackPart } from './snapshot.ts';

/** The members of a session that the part of a snapshot is made from. */
export interface PartSource
  extends Pick<
    RunSession,
    | 'account'
    | 'areOthersUnknown'
    | 'desired'
    | 'diagnostics'
    | 'isSecretOfRun'
    | 'key'
    | 'kinds'
    | 'ledger'
    | 'origins'
    | 'owner'
    | 'secrets'
  > {
  store: Pick<LedgerStore, 'place' | 'proof'>;
  otherStacks: Pick<OtherStacks, 'readAll' | 'countReadWithoutIndex'>;
  clock: { now(): number };
}

/** The members of a plan that the part of a snapshot is made from. */
type PlannedState = Pick<PlannedRun, 'live' | 'input'>;

/** Thrown if a secret would stand in a snapshot although all known secrets were replaced. Nothing is written then. */
export class SecretInSnapshot extends Error {}

/** Returns the part of a snapshot for a stack that was just planned. Throws `SecretInSnapshot` if a secret would remain in it. */
export async function makePart(
  session: PartSource,
  planned: PlannedState,
  recording: SessionRecording,
  embed?: (tokenOf: (secret: string) => string) => EmbeddedConfiguration,
): Promise<StackPart> {
  readRest(planned);
  const tokens = assignTokens(session, planned);
  const { key, ledger, store, owner, account, origins } = session;
  const { reads, events, counts } = recording.reads.finish();
  const observed = {
    stack: session.desired.stack,
    time: session.clock.now(),
    owner,
    account,
    baseUrl: ledger.baseUrl,
    ledgerPlace: store.place,
    ledger,
    proof: store.proof(),
    otherStacks: [...(await session.otherStacks.readAll())],
    readWithoutIndex: await session.otherStacks.countReadWithoutIndex(),
    areOthersUnknown: session.areOthersUnknown ?? false,
    ledgerWarnings: recording.ledgerWarningsIn(session.diagnostics),
    secretProblems: recording.secretProblems,
    reads: hideUnplannedSecrets(reads, session.kinds, planned, tokens),
    events,
    counts,
    configuration: embed?.((secret) => tokens.tokenOf(secret)),
  };
  const digests = recording.digests.finish(tokens, digestsIn(ledger));
  const secrets = [...session.secrets].map(([name, value]) => ({
    name,
    source: origins.get(`secret ${name}`),
    token: tokens.tokenOf(value.reveal()),
  }));
  const stackPart = {
    ...(tokens.replaceIn(observed) as typeof observed),
    keyIds: keyIdsOf(key),
    digests,
    secrets,
    literals: digestLiterals(embed ? [] : listLiterals(session.desired), (literal) =>
      tokens.tokenOf(literal),
    ),
  };
  if (holdsSecret(stackPart, tokens))
    throw new SecretInSnapshot('a secret of this plan would stand in the snapshot');
  return stackPart;
}

/** Reads every member of what a plan keeps of the account, so that the part has them all: the plan passes some on without reading them itself. */
function readRest({ live, input }: PlannedState): void {
  for (const { fields, rows, facts } of withAlternatives([
    ...live.resources.values(),
    ...input.live.resources.values(),
  ]))
    visitDeep([fields, rows, facts], () => visitMembers);
}

/** Returns tokens for all secrets of a plan: those of the configuration, and the values of the account that the plan hides. */
function assignTokens(session: PartSource, planned: PlannedState): SecretTokens {
  const { secrets, desired, kinds } = session;
  const { live, input } = planned;
  const objects = withAlternatives([...live.resources.values(), ...input.live.resources.values()]);
  const tokens = new SecretTokens(listOrdinaryWords(kinds, desired, objects));
  for (const secret of secrets.values()) tokens.tokenOf(secret.reveal());
  for (const literal of listLiterals(desired)) tokens.tokenOf(literal);
  const attribute = createAttributeLookup(live);
  const withToken = (sealed: Sealed) =>
    new Sealed(tokens.tokenOf(sealed.reveal()), sealed.secretName, sealed.holdsMore);
  const secretTokens = new Map([...secrets].map(([name, secret]) => [name, withToken(secret)]));
  const attributeTokens: typeof attribute = (address, name) => {
    const value = attribute(address, name);
    return value instanceof Sealed ? withToken(value) : value;
  };
  for (const { fields } of desired.resources.values()) {
    const filled = fillHoles(fields, { secrets, attribute }) as Fields;
    const filledWithTokens = fillHoles(fields, { secrets: secretTokens, attribute: attributeTokens });
    forEachSealedPair(filled, filledWithTokens, (secret, token) => tokens.assign(secret, token));
  }
  // After the texts that the configuration makes of secrets, because an answer may have them with a dot at the end.
  for (const object of objects) tokens.addObject(object, listOpenTexts(object, session, planned));
  return tokens;
}

/** Calls a function for each secret in a value, with the secret at the same place of another value. */
function forEachSealedPair(
  value: unknown,
  other: unknown,
  use: (secret: string, token: string) => void,
): void {
  if (value instanceof Sealed && other instanceof Sealed) use(value.reveal(), other.reveal());
  else if (Array.isArray(value) && Array.isArray(other))
    for (const [index, item] of value.entries()) forEachSealedPair(item, other[index], use);
  else if (typeof value === 'object' && value !== null && typeof other === 'object' && other !== null)
    for (const [name, member] of Object.entries(value))
      forEachSealedPair(member, (other as Record<string, unknown>)[name], use);
}

/**
 * Returns the sealed texts of an object that the plan shows nevertheless: the ledger or the configuration proves that they were not applied as secrets.
 */
function listOpenTexts(
  object: LiveResource,
  { kinds, desired, key, ...session }: PartSource,
  { input }: PlannedState,
): Set<string> {
  const isSecret = secretFinderOf(session);
  const kind = kinds.get(object.kind);
  if (!kind || sealedIn(object.fields).length === 0) return new Set();
  const knowledge = {
    kind,
    desired: [desired.resources.get(object.address) ?? []].flat(),
    entries: [input.ledger.entries[object.address] ?? []].flat(),
    key,
    isSecretOfRun: () => false,
  };
  const texts = leavesOf(comparedFields(kind), object.fields).flatMap((leaf) => {
    const sealed = sealedIn(leaf.value);
    return sealed.length > 0 && isKnownOpen({ ...leaf, value: revealed(leaf.value) as Value }, knowledge)
      ? sealed.map((secret) => secret.reveal())
      : [];
  });
  return new Set(texts.filter((text) => !isSecret(text)));
}

/** Returns the keyed digests in the entries of a ledger. */
const digestsIn = ({ entries }: Ledger): Set<string> =>
  new Set(
    Object.values(entries).flatMap(({ secrets }) => Object.values(secrets).map(({ digest }) => digest)),
  );

/** True if a text of a part holds a secret. */
const holdsSecret = (part: StackPart, tokens: SecretTokens): boolean =>
  containsValue(part, (value) => {
    if (typeof value === 'string') return tokens.holdsSecret(value) && !tokens.isOpenSomewhere(value);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return visitMembers;
    return Object.keys(value).some((name) => tokens.holdsSecret(name)) || visitMembers;
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
        ? tokens.tokenOf(member)
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
