/*
 * Assigns tokens to the secrets of a plan.
 */
import { comparedFields, leavesOf } from '../kind/compare.ts';
import { isKnownOpen, secretFinderOf } from '../kind/disclosure.ts';
import { type LiveResource, withAlternatives } from '../model/resource.ts';
import { revealed, Sealed, sealedIn } from '../model/sealed.ts';
import { type Fields, fillHoles, type Value } from '../model/value.ts';
import { createAttributeLookup } from '../plan/input.ts';
import { literalsIn } from './literal-secrets.ts';
import { listOrdinaryWords } from './ordinary-words.ts';
import type { PartSource, PlannedState } from './part-source.ts';
import { SecretTokens } from './secret-tokens.ts';

/** Returns tokens for all secrets of a plan: those of the configuration, and the values of the account that the plan hides. */
export function assignTokens(session: PartSource, planned: PlannedState): SecretTokens {
  const { secrets, desired, kinds } = session;
  const { live, input } = planned;
  const objects = withAlternatives([...live.resources.values(), ...input.live.resources.values()]);
  const tokens = new SecretTokens(listOrdinaryWords(kinds, desired, objects));
  for (const secret of secrets.values()) tokens.tokenOf(secret.reveal());
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
  for (const literal of listHiddenLiterals(desired, planned, tokens)) tokens.tokenOf(literal);
  return tokens;
}

/**
 * Returns the literals of a configuration except those that the plan shows wherever they are declared: the account has them in clear, and the
 * configuration seals them from now on. These stay, because the ledger has their plain digest.
 */
function listHiddenLiterals(
  { resources }: PartSource['desired'],
  { live }: PlannedState,
  tokens: SecretTokens,
): Set<string> {
  const hidden = [...resources.values()].flatMap((resource) => {
    const id = live.resources.get(resource.address)?.ids[0];
    return Object.entries(resource.fields).flatMap(([name, value]) =>
      literalsIn(value)
        .map((literal) => literal.reveal())
        .filter((text) => !(value instanceof Sealed && tokens.isShownAt(text, id, name))),
    );
  });
  return new Set(hidden);
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
export function listOpenTexts(
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
