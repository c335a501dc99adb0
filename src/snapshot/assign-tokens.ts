/*
 * Finds the secrets of a plan, and gives each a token: those of the configuration, and the values of the account that the plan does not
 * show.
 */
import { comparedFields, type Leaf, leavesOf } from '../kind/compare.ts';
import { isKnownOpen, secretFinderOf } from '../kind/disclosure.ts';
import { type LiveResource, withAlternatives } from '../model/resource.ts';
import { revealed, Sealed, sealedIn } from '../model/sealed.ts';
import { type Fields, fillHoles, isHole, type Value } from '../model/value.ts';
import { visitDeep, visitMembers } from '../model/walk.ts';
import { createAttributeLookup } from '../plan/input.ts';
import { formatFieldPlace, literalsIn } from './literal-secrets.ts';
import { listOrdinaryWords } from './ordinary-words.ts';
import type { PartSource, PlannedState } from './part-source.ts';
import { SecretTokens } from './secret-tokens.ts';

/**
 * Assigns a token to each secret of a plan (a random text that stands for it in the snapshot), to replace the secrets in a stack's part of
 * a snapshot: secrets of the configuration, texts that it makes of them, secret values of objects, and literals (secrets that stand in the
 * configuration in clear). `hiddenStretches`: the stretches of texts that the plan shows as `(secret)`.
 */
export function assignTokens(
  session: PartSource,
  planned: PlannedState,
  hiddenStretches: Iterable<string>,
): SecretTokens {
  const { secrets, desired, kinds } = session;
  const { live, input } = planned;
  const objects = withAlternatives([...live.resources.values(), ...input.live.resources.values()]);
  // Ordinary words, such as `production`, are replaced only at the place of a secret.
  const tokens = new SecretTokens(listOrdinaryWords(kinds, desired, objects), secretFinderOf(session));
  for (const secret of secrets.values()) tokens.register(secret.reveal());
  // The resources of the plan have the results of lookups. Those of the session do not.
  for (const { fields } of [...desired.resources.values(), ...input.desired.resources.values()])
    assignJoinedTexts(fields, secrets, planned, tokens);
  // After the joined texts: an answer may have one of them with a dot at the end, which `register` recognizes.
  for (const object of objects) tokens.addObject(object, listShownTexts(object, session, planned));
  for (const literal of listHiddenLiterals(desired, planned, tokens)) tokens.register(literal);
  for (const stretch of hiddenStretches) tokens.register(stretch);
  return tokens;
}

/**
 * Finds the texts that the configuration makes of a secret, such as `Bearer ${secret.api}`, and has each replaced in the snapshot by the
 * same text with the secret's token. For this, fills the fields twice, with the secrets and with their tokens, and compares.
 */
function assignJoinedTexts(
  fields: Fields,
  secrets: PartSource['secrets'],
  { live }: PlannedState,
  tokens: SecretTokens,
): void {
  const attribute = createAttributeLookup(live);
  const toToken = (sealed: Sealed) => {
    const { secretName, holdsMore } = sealed;
    return new Sealed(tokens.register(sealed.reveal()), secretName, { holdsMore });
  };
  const attributeWithToken: typeof attribute = (address, name) => {
    const value = attribute(address, name);
    return value instanceof Sealed ? toToken(value) : value;
  };
  const filledWithSecrets = fillHoles(fields, { secrets, attribute });
  const filledWithTokens = fillHoles(fields, {
    secrets: new Map([...secrets].map(([name, secret]) => [name, toToken(secret)])),
    attribute: attributeWithToken,
  });
  forEachSealedPair(filledWithSecrets, filledWithTokens, (text, textWithToken) =>
    tokens.assign(text, textWithToken),
  );
}

/**
 * Returns the literals of a configuration (secrets that stand in its text in clear, see `literal-secrets.ts`) that need a token, because
 * the plan hides them somewhere in the account. Leaves out a literal where the account shows the value in clear in the same field, because
 * the ledger has the digest of the clear text there (see `listKeptLiterals`), and literals of objects that do not exist, because these are
 * compared with nothing.
 */
function listHiddenLiterals(
  { resources }: PartSource['desired'],
  { live }: PlannedState,
  tokens: SecretTokens,
): Set<string> {
  const hidden = [...resources.values()].flatMap((resource) => {
    const id = live.resources.get(resource.address)?.ids[0];
    if (id === undefined) return [];
    return Object.entries(resource.fields).flatMap(([name, value]) => {
      const isShown = (text: string) => value instanceof Sealed && tokens.isShownAt(text, id, name);
      const texts = literalsIn(value).map((literal) => literal.reveal());
      return texts.filter((text) => !isShown(text));
    });
  });
  return new Set(hidden);
}

/**
 * Returns the fields in which a plan from the snapshot must compare a literal (a secret that stands in the configuration in clear) as it
 * is, because the snapshot has the same value in clear in this field of the account. The literal has a token only because the plan hides
 * the value in another field.
 */
export const listKeptLiterals = (
  { resources }: PartSource['desired'],
  { live }: PlannedState,
  tokens: SecretTokens,
): string[] =>
  [...resources.values()].flatMap(({ address, fields }) => {
    const id = live.resources.get(address)?.ids[0];
    return Object.entries(fields).flatMap(([name, value]) => {
      const text = value instanceof Sealed ? value.reveal() : '';
      const isKept = tokens.hasToken(text) && tokens.isShownAt(text, id, name);
      return isKept ? [formatFieldPlace(address, name)] : [];
    });
  });

/**
 * Calls a function with each pair of secrets at the same place of two values: one has the real secrets, and the other one the tokens that
 * stand for them in a snapshot.
 */
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
 * Returns the sealed texts of a live object (values that may be secret) that a snapshot may nevertheless have as they are: the ledger or
 * the configuration proves that they were not applied as secrets (`isKnownOpen`), or the configuration shows them beside a secret in the
 * same value, such as the name of a header. No text with a secret of this run is among them.
 */
export function listShownTexts(
  object: LiveResource,
  { kinds, desired, key, ...session }: PartSource,
  { input }: PlannedState,
): Set<string> {
  const isSecret = secretFinderOf(session);
  const kind = kinds.get(object.kind);
  if (!kind || sealedIn(object.fields).length === 0) return new Set();
  const declared = desired.resources.get(object.address);
  const entry = input.ledger.entries[object.address];
  const knowledge = {
    kind,
    desired: declared ? [declared] : [],
    entries: entry ? [entry] : [],
    key,
    // Asked below, for the texts one by one.
    isSecretOfRun: () => false,
  };
  const declaredLeaves = declared ? leavesOf(comparedFields(kind), declared.fields) : [];
  const shownTextsIn = (leaf: Leaf): string[] => {
    const sealedTexts = sealedIn(leaf.value).map((secret) => secret.reveal());
    if (sealedTexts.length === 0) return [];
    if (isKnownOpen({ ...leaf, value: revealed(leaf.value) as Value }, knowledge)) return sealedTexts;
    const clearTexts = clearTextsInside(declaredLeaves.filter(({ path }) => path === leaf.path));
    return sealedTexts.filter((text) => clearTexts.has(text));
  };
  const texts = leavesOf(comparedFields(kind), object.fields).flatMap(shownTextsIn);
  return new Set(texts.filter((text) => !isSecret(text)));
}

/**
 * Returns the texts in clear in declared values that are lists or objects, which may have secrets beside them: without the secrets and
 * without texts that the configuration makes of secrets (holes). A snapshot keeps them.
 */
function clearTextsInside(leaves: readonly Leaf[]): Set<string> {
  const texts = new Set<string>();
  for (const { value } of leaves)
    if (typeof value === 'object')
      visitDeep(value, (part) => {
        if (typeof part === 'string') texts.add(part);
        return part instanceof Sealed || isHole(part) ? undefined : visitMembers;
      });
  return texts;
}
