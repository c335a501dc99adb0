/*
 * Secrets that stand in clear in the configuration (literals), in a field that takes only secrets.
 *
 * A plan from a snapshot reads the same configuration, and compares the literal with a live value for which the snapshot has a token. So
 * the snapshot says which token stands for which literal: not by the literal itself, but by a slow digest of it. A person with the
 * configuration can find the token. A person without it would have to guess the literal, and each guess takes about as long as a plan does.
 */
import { randomBytes, scryptSync } from 'node:crypto';
import type { Address } from '../model/address.ts';
import type { Desired } from '../model/resource.ts';
import { Sealed } from '../model/sealed.ts';
import { isHole } from '../model/value.ts';
import { mapMembers, mapTree, visitDeep, visitMembers } from '../model/walk.ts';
import type { StackPart } from './snapshot.ts';

type LiteralTokens = StackPart['literals'];

/** Returns the literals of a configuration, each once. */
export function listLiterals({ resources }: Pick<Desired, 'resources'>): string[] {
  const literals = [...resources.values()].flatMap(({ fields }) => literalsIn(fields));
  return [...new Set(literals.map((literal) => literal.reveal()))].filter((text) => text !== '');
}

/**
 * Returns the literals in a value (secrets that stand in the configuration in clear), sealed as the reader of the configuration left them.
 * Used to put tokens in their place in a snapshot. A hole, such as the text `Bearer ${secret.api}`, has no literals: a plan compares the
 * whole text, so the part in clear needs no token.
 */
export function literalsIn(value: unknown): Sealed[] {
  const literals: Sealed[] = [];
  visitDeep(value, (part) => {
    if (part instanceof Sealed) literals.push(part);
    return isHole(part) ? undefined : visitMembers;
  });
  return literals;
}

/**
 * Returns what a snapshot says about the literals of the configuration (secrets in clear in its text): for each, a salted digest and the
 * token that stands for it. A plan from the snapshot finds the token by the digest. `keptAt`: the fields whose literal is not replaced,
 * because the plan shows it in the account.
 */
export function digestLiterals(
  literals: readonly string[],
  keptAt: string[],
  tokenOf: (literal: string) => string,
): LiteralTokens {
  const salt = randomBytes(16).toString('base64url');
  return {
    salt,
    keptAt,
    tokens: literals.map((literal) => ({ digest: digestLiteral(literal, salt), token: tokenOf(literal) })),
  };
}

/**
 * Returns a configuration for a plan from a snapshot, with tokens instead of the literals (secrets in clear in its text) that the snapshot
 * has a token for, found by salted digests. A literal without a token stays: it equals no value that the plan of the snapshot hid. Fields
 * in `keptAt` stay as well, because the answers in the snapshot have their values in clear.
 */
export function replaceLiterals<D extends Pick<Desired, 'resources'>>(
  desired: D,
  { salt, tokens, keptAt }: LiteralTokens,
): D {
  if (tokens.length === 0) return desired;
  const tokenOf = new Map(tokens.map(({ digest, token }) => [digest, token]));
  const replacements = new Map(
    listLiterals(desired).map((literal) => [literal, tokenOf.get(digestLiteral(literal, salt))]),
  );
  const replace = (part: unknown) => {
    if (!(part instanceof Sealed)) return isHole(part) ? part : visitMembers;
    const token = replacements.get(part.reveal());
    const { secretName, holdsMore } = part;
    return token === undefined ? part : new Sealed(token, secretName, { holdsMore });
  };
  const keptFields = new Set(keptAt);
  const resources = [...desired.resources].map(([address, resource]) => {
    const fields = mapMembers(resource.fields, (value, name) =>
      keptFields.has(formatFieldPlace(address, name)) ? value : mapTree(value, replace),
    ) as typeof resource.fields;
    return [address, { ...resource, fields }] as const;
  });
  return { ...desired, resources: new Map(resources) };
}

/** Returns the text that names a field of an object in `keptAt`. */
export const formatFieldPlace = (address: Address, name: string): string => `${address} ${name}`;

/** Returns the digest of a literal. It takes about 10 ms. */
const digestLiteral = (literal: string, salt: string): string =>
  scryptSync(literal, salt, 24, { N: 4096, r: 8, p: 1 }).toString('base64url');
