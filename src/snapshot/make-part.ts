/*
 * Makes the part of a snapshot for one stack, after it was planned.
 */
import { comparedFields, leavesOf } from '../kind/compare.ts';
import { secretFinderOf } from '../kind/disclosure.ts';
import { raise } from '../model/diagnostic.ts';
import type { LedgerKey } from '../model/digest.ts';
import { groupBy } from '../model/graph.ts';
import { withAlternatives } from '../model/resource.ts';
import { Sealed, sealedIn } from '../model/sealed.ts';
import { createSecretFinder } from '../model/secret-finder.ts';
import { atPath, isHole, namesInPath, type Value } from '../model/value.ts';
import { containsValue, visitDeep, visitMembers } from '../model/walk.ts';
import type { EmbeddedConfiguration } from './anonymous/embedded.ts';
import { assignTokens, listKeptLiterals } from './assign-tokens.ts';
import { hideUnplannedSecrets, registerSecretIds } from './hide-unplanned-secrets.ts';
import { digestLiterals, listLiterals } from './literal-secrets.ts';
import type { PartSource, PlannedState } from './part-source.ts';
import type { SessionRecording } from './recording.ts';
import type { SecretTokens } from './secret-tokens.ts';
import type { KeyIds, KnownSecret, StackPart } from './snapshot.ts';

/**
 * Returns the part of a snapshot about one stack, after the stack was planned: the answers of the account, the ledgers, and so on,
 * with tokens instead of secrets. Throws `Problems` if a secret would remain in it. `embed`: for an anonymous snapshot, returns the
 * configuration to put into it, with each secret replaced by the result of `tokenOf`. A usual snapshot has none: its plans read the files
 * of the configuration.
 */
export async function makePart(
  session: PartSource,
  planned: PlannedState,
  recording: SessionRecording,
  embed?: (tokenOf: (secret: string) => string) => EmbeddedConfiguration,
): Promise<StackPart> {
  const isAnonymous = embed !== undefined;
  // Before the recorded reads are finished: they have the members that were read until then.
  readPassedOnMembers(planned);
  if (!isAnonymous) refuseDeclaredSecrets(session, planned);
  const tokens = assignTokens(session, planned, recording.hiddenStretches);
  const tokenOf = (secret: string) => tokens.replacementOf(secret);
  const { reads, events, counts } = recording.reads.finish();
  // A secret id may be the name of a member, which `assignTokens` does not look at.
  registerSecretIds(reads, session.kinds, tokens);
  const configuration = embed?.(tokenOf);
  const sessionState = await readSessionState(session);
  // Ordinary words: they stay, except at the place of a secret that equals one.
  tokens.keepWords([...reads.map(({ request }) => request.endpoint), ...namesIn(configuration)]);
  const observed = {
    ...sessionState,
    ledgerWarnings: recording.ledgerWarningsIn(session.diagnostics),
    secretProblems: recording.secretProblems,
    reads: hideUnplannedSecrets(reads, session.kinds, planned, tokens),
    events,
    unusedFlags: session.sources?.unusedFlags() ?? [],
    counts,
    configuration,
  };
  // Before `replaceIn`, which registers further spellings of secrets as tokens: a digest of such a text is then refused, not written.
  const digests = recording.digests.finish(
    tokens,
    wordsIn([sessionState.ledger, sessionState.otherStacks]),
    createDigestTest(session, planned, tokens),
  );
  const observedWithTokens = tokens.replaceIn(observed) as typeof observed;
  // An anonymous snapshot has the configuration in it, with tokens instead of literals.
  const literals = isAnonymous
    ? []
    : listLiterals(session.desired).filter((literal) => tokens.hasToken(literal));
  const keptLiterals = isAnonymous ? [] : listKeptLiterals(session.desired, planned, tokens);
  const stackPart = {
    ...observedWithTokens,
    keyIds: keyIdsOf(session.key),
    digests,
    secrets: listSecretTokens(session, tokenOf),
    literals: digestLiterals(literals, keptLiterals, tokenOf),
  };
  if (isSecretInPart(stackPart, tokens))
    raise('snapshot/clear-secret', 'the snapshot was not written: it would contain a secret of this plan', {
      hint: 'plan without --snapshot; please report this, because no snapshot may have a secret',
    });
  if (!isAnonymous) refuseStatedSecrets(stackPart, planned, tokens);
  return stackPart;
}

/**
 * Returns what a part of a snapshot has directly from the session: its stack, account and ledger, and the ledgers of other stacks, still
 * with their secrets.
 */
const readSessionState = async ({
  desired,
  clock,
  owner,
  account,
  ledger,
  store,
  otherStacks,
  areOthersUnknown = false,
}: PartSource) => ({
  stack: desired.stack,
  time: clock.now(),
  owner,
  account,
  ledgerPlace: store.place,
  ledger,
  proof: store.proof(),
  otherStacks: [...(await otherStacks.readAll())],
  readWithoutIndex: await otherStacks.countReadWithoutIndex(),
  areOthersUnknown,
});

/** Lists the secrets of the configuration for a part of a snapshot, each with its source and with the token that stands for its value. */
const listSecretTokens = (
  { secrets, origins }: PartSource,
  tokenOf: (secret: string) => string,
): KnownSecret[] =>
  [...secrets].map(([name, value]) => ({
    name,
    source: origins.get(`secret ${name}`),
    token: tokenOf(value.reveal()),
  }));

/**
 * Throws `Problems` if the configuration shows, in clear, a text that holds a secret of the run, and the account has the same text in this
 * field. A plan from the snapshot would compare the text of the configuration with a token instead, and so find a difference that does not
 * exist.
 */
function refuseDeclaredSecrets({ desired, kinds, ...session }: PartSource, { live }: PlannedState): void {
  const isSecret = secretFinderOf(session);
  for (const { address, kind, fields } of desired.resources.values()) {
    const liveFields = live.resources.get(address)?.fields ?? {};
    if (sealedIn(liveFields).length === 0) continue;
    const shown = leavesOf(comparedFields(kinds.get(kind)!), fields).find(({ path, value }) => {
      const hiddenTexts = sealedIn(atPath(liveFields, path)).map((secret) => secret.reveal());
      return showsText(value, (text) => hiddenTexts.includes(text) && isSecret(text));
    });
    if (shown)
      raise(
        'snapshot/clear-secret',
        `the snapshot was not written: \`${shown.path}\` of ${address} shows a secret of this run in the configuration`,
        { hint: 'write `${secret.NAME}` there, and change the secret if others could read the file' },
      );
  }
}

/**
 * True if a value of the configuration has a text in clear that passes a test, for `refuseDeclaredSecrets`. Secrets and texts with
 * expressions (holes) do not count.
 */
const showsText = (value: Value, isMatch: (text: string) => boolean): boolean =>
  containsValue(value, (part) => {
    if (part instanceof Sealed || isHole(part)) return false;
    return typeof part === 'string' ? isMatch(part) : visitMembers;
  });

/**
 * Throws `Problems` if a stack's part of a snapshot contains a secret without a token, because it stands in a field that is no secret: a
 * text that a finding of the plan calls a secret (`statedSecrets`), or a secret of another stack (`secretsOfOthers`), except one that
 * equals an ordinary word such as `production`. With a token there, a plan from the snapshot would be another plan.
 */
function refuseStatedSecrets(
  part: StackPart,
  { statedSecrets = [], secretsOfOthers = [] }: PlannedState,
  tokens: SecretTokens,
): void {
  const distinctSecrets = secretsOfOthers.filter((secret) => !tokens.isOrdinary(secret.reveal()));
  if (hasText(part, createSecretFinder([...statedSecrets, ...distinctSecrets])))
    raise(
      'snapshot/clear-secret',
      'the snapshot was not written: it would contain a secret that a field of the account shows',
      { hint: 'repair what the finding says first, or use --anonymous' },
    );
}

/**
 * Reads every member of the objects of a plan. A snapshot records only members that were read (see `ReadTracker`), and the plan passes some
 * members on without reading them itself.
 */
function readPassedOnMembers({ live, input }: PlannedState): void {
  for (const { fields, rows, facts } of withAlternatives([
    ...live.resources.values(),
    ...input.live.resources.values(),
  ]))
    visitDeep([fields, rows, facts], () => visitMembers);
}

/**
 * Returns the names of the members in the configuration of an anonymous snapshot, without those inside `fields`, which users choose. The
 * names are parts of the format, so they must not be taken for secrets.
 */
function namesIn(configuration: EmbeddedConfiguration | undefined): Set<string> {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value)) {
        names.add(name);
        if (name !== 'fields') visit(member);
      }
  };
  visit(configuration);
  return names;
}

/**
 * Returns all words in ledgers, among them their digests. (A set has several, with spaces between them.) Used to tell whether a ledger has
 * a digest that the plan computed.
 */
function wordsIn(ledgers: unknown): Set<string> {
  const words = new Set<string>();
  visitDeep(ledgers, (part) => {
    if (typeof part === 'string') for (const word of part.split(' ')) words.add(word);
    return visitMembers;
  });
  return words;
}

/**
 * Returns a test whether the plan shows a text, in the configuration or in the account, in the field to which a keyed digest of the ledger
 * belongs. If so, the snapshot may have the text in clear beside its digest, in the table by which a plan without the key finds digests.
 */
function createDigestTest(
  { desired }: PartSource,
  { input }: PlannedState,
  tokens: SecretTokens,
): (text: string, digest: string) => boolean {
  const places = groupBy(
    Object.entries(input.ledger.entries).flatMap(([address, { ids, secrets }]) =>
      Object.entries(secrets).map(([path, { digest }]) => ({ address, ids, path, digest })),
    ),
    ({ digest }) => digest,
  );
  return (text, digest) =>
    (places.get(digest) ?? []).some(({ address, ids, path }) => {
      const member = namesInPath(path).at(-1)!;
      const declared = desired.resources.get(address)?.fields;
      return (
        (declared && atPath(declared, path) === text) || ids.some((id) => tokens.isShownAt(text, id, member))
      );
    });
}

/** True if a text of a part holds a secret. A secret that is shown at another place may stand there, but never beside a digest of it. */
const isSecretInPart = (part: StackPart, tokens: SecretTokens): boolean =>
  hasText(part, (text) => tokens.holdsSecret(text) && !tokens.isShownSomewhere(text)) ||
  hasText(part.digests, (text) => tokens.holdsSecret(text));

/** Smaller numbers are equal to a secret by chance, as limits and ports are: see `SecretTokens`. */
const smallestDistinctNumber = 10_000_000;

/** True if JSON data has a text that passes a test, also as a number or as the name of a member. Used to refuse a snapshot in which a secret is left. */
const hasText = (data: unknown, isMatch: (text: string) => boolean): boolean =>
  containsValue(data, (value) => {
    if (typeof value === 'string') return isMatch(value);
    if (typeof value === 'number') return value >= smallestDistinctNumber && isMatch(String(value));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return visitMembers;
    return Object.keys(value).some(isMatch) || visitMembers;
  });

/**
 * Returns the ids of a ledger key and of the key before it. A snapshot contains them instead of the keys, so that its plan can tell by
 * which of them something was signed.
 */
const keyIdsOf = (key: LedgerKey | undefined): KeyIds => ({
  id: key?.id,
  legacy: key?.legacyKey?.id,
  previous: key?.previous && { id: key.previous.id, legacy: key.previous.legacyKey?.id },
});
