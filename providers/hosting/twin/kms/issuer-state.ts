import type { Call, Stamped } from '../call.ts';
import { ofOwner } from '../kept.ts';

/** Allows somebody to sign, and sets the claims of their tokens. */
export type KmsPolicy = { tokenClaims?: Record<string, unknown>; createdAt: number; updatedAt: number } & (
  | { kind: 'project-grant'; teamId: string; projectId: string; environments: string[] }
  | { kind: 'connex-grant'; clientId: string }
);

/** A key of an issuer; the private part is never read. Times are in milliseconds here, and ISO texts in answers. */
export interface KmsKey {
  keyId: string;
  importKeyId?: string;
  /** When it begins to sign; none until somebody activates it. */
  activateAt?: number;
  /** The hours for which the key before it stays valid after that. */
  graceHours: number;
  /** When it was or will be revoked. */
  revokeAt?: number;
  createdAt: number;
  updatedAt: number;
}

/** An issuer of tokens, with its keys, oldest first. `history`: the keys that will be revoked at a known time. */
export interface KmsIssuer extends Stamped {
  ownerId: string;
  name: string;
  algorithm: string;
  claimsSchema?: Record<string, unknown>;
  origin: 'vercel' | 'external';
  /** Set on an issuer that the platform manages: the name of the product that does. */
  managedBy?: string;
  keys: KmsKey[];
  history: KmsKey[];
  policies: KmsPolicy[];
}

declare module '../account.ts' {
  interface AccountParts extends Keeps<'kmsIssuers', KmsIssuer> {}
}

/** Returns a time as ISO text. */
export const iso = (timestamp: number) => new Date(timestamp).toISOString();

/** Returns an object with its times as answers have them: ISO texts. */
const dated = <T extends object>(object: T) =>
  Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name,
      name.endsWith('At') && typeof value === 'number' ? iso(value) : value,
    ]),
  );

/** Returns the status of a key: revoking once it has an end, active from its time of activation, else pending. */
export function statusOf({ activateAt, revokeAt }: KmsKey, now: number): 'pending' | 'active' | 'revoking' {
  if (revokeAt !== undefined) return 'revoking';
  return activateAt !== undefined && activateAt <= now ? 'active' : 'pending';
}

/** Brings an issuer up to date: the keys before the active one get an end, and keys whose end has come are removed. Returns the issuer. */
export function settle(issuer: KmsIssuer, now: number): KmsIssuer {
  const { keys, history } = issuer;
  const active = keys.findLastIndex((key) => statusOf(key, now) === 'active');
  const { activateAt = now, graceHours } = keys[active] ?? { graceHours: 0 };
  const ended = keys.slice(0, Math.max(0, active)).filter((key) => statusOf(key, now) === 'active');
  for (const key of ended) key.revokeAt = Math.round(activateAt + graceHours * 3_600_000);
  const isOver = ({ revokeAt }: KmsKey) => revokeAt !== undefined;
  issuer.history = [...history, ...keys.filter(isOver)].filter(({ revokeAt }) => revokeAt! > now);
  issuer.keys = keys.filter((key) => !isOver(key));
  return issuer;
}

export const showPolicy = (policy: KmsPolicy) => dated(policy);

/** Returns a key as answers have it. */
export function showKey(call: Call, { graceHours: _, ...key }: KmsKey, { id, algorithm }: KmsIssuer) {
  const status = statusOf(key as KmsKey, call.now());
  const publicKey = { alg: algorithm, kid: key.importKeyId ?? key.keyId, use: 'sig' };
  const activatedAt = status === 'pending' ? {} : { activatedAt: key.activateAt };
  return { ...dated({ ...key, ...activatedAt }), issuerId: id, algorithm, status, publicKey };
}

/** The issuers of an owner. */
export const issuers = ofOwner('kmsIssuers', {
  what: 'Issuer',
  param: 'issuerId',
  shows(call, issuer) {
    const { keys, history, policies, ...fields } = settle(issuer, call.now());
    return {
      ...dated(fields),
      signingKeys: [...history, ...keys].map((key) => showKey(call, key, issuer)),
      policies: policies.map(showPolicy),
    };
  },
});
