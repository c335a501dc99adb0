import { createPrivateKey, X509Certificate } from 'node:crypto';
import * as z from 'zod';
import type { Making } from '../call.ts';
import { ApiError, badRequest } from '../errors.ts';
import { ofOwner } from '../kept.ts';
import { type Moving, type Pace, paceOf, startMoving } from '../motion.ts';
import { operation, type Resource, seedOwned } from '../resource.ts';
import { isDomainName, lower, strings } from '../validate.ts';

const issueBody = z.strictObject({ cns: strings.optional() });
const orderBody = z.strictObject({ op: z.enum(['startOrder', 'finalizeOrder']), domains: strings });
const uploadBody = z.strictObject({
  ca: z.string(),
  cert: z.string(),
  key: z.string(),
  skipValidation: z.boolean().optional(),
});
const seed = z.strictObject({
  ...seedOwned,
  cns: strings,
  autoRenew: z.boolean().optional(),
  expiresAt: z.number().optional(),
});

/** A certificate. An uploaded certificate and its key are never answered, so they are not stored. */
export interface Certificate {
  id: string;
  ownerId: string;
  cns: string[];
  autoRenew: boolean;
  createdAt: number;
  expiresAt: number;
}

/** Names whose validation was started. */
interface Validation {
  ownerId: string;
  cns: string[];
  moving: Moving;
}

declare module '../account.ts' {
  interface AccountParts extends Keeps<'certificates', Certificate> {
    validations?: Validation[];
  }
  interface AccountSeed {
    /** The duration of validating names before they have a certificate, and which ones fail. */
    issuing?: Pace;
  }
  interface AccountSeed extends Seeds<'certificates', typeof seed> {}
}

const certificates = ofOwner('certificates', {
  what: 'Certificate',
  shows: (_, { ownerId: _owner, ...shown }) => ({ ...shown, ...earlier(shown) }),
});

const ninetyDays = 90 * 24 * 3_600_000;

/** Returns a new certificate for names; without an end it is valid for ninety days. */
function make(making: Making, cns: string[], autoRenew: boolean, expiresAt?: number): Certificate {
  const { owner, id, time } = making;
  const createdAt = time();
  const ends = expiresAt ?? createdAt + ninetyDays;
  return { id: id('cert_'), ownerId: owner.id, cns: cns.map(lower), autoRenew, createdAt, expiresAt: ends };
}

/**
 * Throws 400 unless each name is in a domain of the owner or is a domain of one of the owner's projects, because the platform verifies
 * names by their domain. A wildcard needs a domain whose zone the platform keeps.
 */
function checkNames({ account, owner }: Making, cns: string[]): void {
  if (cns.length === 0) throw badRequest('Invalid request: `cns` should NOT have fewer than 1 items.');
  for (const commonName of cns) {
    const name = lower(commonName).replace(/^\*\./, '');
    if (!isDomainName(name)) throw badRequest(`Invalid request: "${commonName}" is not a common name.`);
    const isIn = (apex: string) => name === apex || name.endsWith(`.${apex}`);
    const domain = account.domains.find((domain) => domain.ownerId === owner.id && isIn(domain.name));
    const ofProject = account.projects.some(
      ({ accountId, domains }) => accountId === owner.id && domains.some((domain) => domain.name === name),
    );
    if (!domain && !ofProject)
      throw new ApiError(
        400,
        'configuration_error',
        `The domain of "${commonName}" is not configured here.`,
        {
          cns: [commonName],
        },
      );
    if (commonName.startsWith('*.') && !domain?.zone)
      throw new ApiError(
        400,
        'wildcard_not_allowed',
        `"${commonName}" needs the nameservers of the platform.`,
      );
  }
}

/**
 * Returns the names in an uploaded certificate, and when it ends. Throws 400 if the certificate is invalid or the key is not its key.
 * Tests, which have no issuer, may put a line `names: a.example.com b.example.com` between the two lines of a PEM instead.
 */
function contentOf({ cert, key, skipValidation }: z.infer<typeof uploadBody>): {
  names: string[];
  ends?: number;
} {
  const match = /^-----BEGIN CERTIFICATE-----\nnames: (.+)\n-----END CERTIFICATE-----\s*$/.exec(cert);
  if (match) return { names: match[1]!.split(' ') };
  try {
    const parsed = new X509Certificate(cert);
    const names = (parsed.subjectAltName ?? '')
      .split(', ')
      .flatMap((altName) => /^DNS:(.+)/.exec(altName)?.[1] ?? []);
    const isValid = skipValidation || parsed.checkPrivateKey(createPrivateKey(key));
    if (isValid && names.length > 0) return { names, ends: Date.parse(parsed.validTo) };
  } catch {
    // Neither a certificate nor its key: refused like a pair that does not fit together.
  }
  throw badRequest('The certificate is not valid, or the key is not the one of it.');
}

/**
 * Validates the names before they get a certificate. Throws 449 until the validation is over, so that clients repeat the request, and 400
 * if it fails.
 */
function validate(call: Making, cns: string[]): void {
  const { account, owner, now } = call;
  const isSameNames = (validation: Validation) =>
    validation.ownerId === owner.id && validation.cns.join() === cns.map(lower).join();
  const pending = account.validations?.find(isSameNames);
  const { endsAt, fails } = pending?.moving ?? startMoving(call, 'issuing');
  if (endsAt > now()) {
    const moving = pending?.moving ?? { startedAt: now(), endsAt, ...(fails ? { fails } : {}) };
    if (!pending)
      account.validations = [
        ...(account.validations ?? []),
        { ownerId: owner.id, cns: cns.map(lower), moving },
      ];
    throw new ApiError(449, 'validation_running', 'There is a validation in course. Wait until it finishes.');
  }
  account.validations = account.validations?.filter((validation) => validation !== pending);
  if (fails) throw new ApiError(400, 'configuration_error', `The names could not be validated.`, { cns });
}

/** Returns the members of an earlier version, because the platform's command line still reads them. */
const earlier = ({ id, createdAt, expiresAt }: Pick<Certificate, 'id' | 'createdAt' | 'expiresAt'>) => ({
  uid: id,
  created: new Date(createdAt).toISOString(),
  expiration: new Date(expiresAt).toISOString(),
});

const parts = certificates.kept(seed, (making, { cns, autoRenew = true, expiresAt }) =>
  make(making, cns, autoRenew, expiresAt),
);

/** The certificates of an owner. There can be several for one set of names. */
export const certificate: Resource = {
  ...parts,
  seed: { account: { ...parts.seed!.account, issuing: paceOf('issuing') } },
  operations: {
    getCerts: certificates.pages('certs'),
    getCertById: certificates.read(),
    issueCert: certificates.create({ body: issueBody, statuses: [200, 449] }, (call, { cns = [] }) => {
      checkNames(call, cns);
      validate(call, cns);
      return make(call, cns, true);
    }),
    uploadCert: certificates.create({ body: uploadBody }, (call, body) => {
      const { names, ends } = contentOf(body);
      return make(call, names, false, ends);
    }),
    removeCert: certificates.remove({ answer: {} }),
  },
  clientOperations: {
    // An order in two steps. The first has no challenges, because the domains of the names are in the account.
    'PATCH /v3/certs': operation({ body: orderBody }, (call, _, { op, domains }) => {
      checkNames(call, domains);
      if (op === 'startOrder') return { challengesToResolve: [] };
      const certificate = make(call, domains, true);
      call.account.certificates.push(certificate);
      return certificates.show(call, certificate, call.owner);
    }),
  },
};
