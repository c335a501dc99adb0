import * as z from 'zod';
import { type Call, type Making, stamped, times } from '../call.ts';
import { badRequest, forbidden } from '../errors.ts';
import { checkProjectIds, projectIdsOf } from '../find-project.ts';
import { forgetting } from '../forget.ts';
import { type Resource, seedOwned } from '../resource.ts';
import { strings } from '../validate.ts';
import { issuers, type KmsIssuer, type KmsPolicy } from './issuer-state.ts';

declare module '../account.ts' {
  interface AccountSeed extends Seeds<'kmsIssuers', typeof seed> {}
}

export const claims = z.record(z.string(), z.unknown());
const algorithm = z.enum(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512']);
const grant = { environments: strings, tokenClaims: claims.optional() };
const connex = z.strictObject({
  kind: z.literal('connex-grant'),
  clientId: z.string(),
  tokenClaims: claims.optional(),
});
/** The id (`kid`) to give to an imported key. The catalog does not have it: the Terraform provider sends it (client/kms.go). */
export const keyId = z.string().optional();

/** Throws 400 if a body has an id for an imported key, but no such key. */
export function checkImport(body: { importKey?: string; importKeyId?: string; keyId?: string }): void {
  for (const name of ['importKeyId', 'keyId'] as const)
    if (body[name] !== undefined && body.importKey === undefined)
      throw badRequest(`Invalid request: \`${name}\` is only allowed with \`importKey\`.`);
}

const described = z.strictObject({
  name: z.string(),
  algorithm: algorithm.optional(),
  claimsSchema: claims.optional(),
});
// The creation can bring a policy. A `connex-grant` can be created only here.
const createBody = described.extend({
  policy: z
    .union([
      z.strictObject({
        ...{ kind: z.literal('project-grant'), teamId: z.string(), projectId: z.string() },
        ...grant,
      }),
      connex,
    ])
    .optional(),
  importKey: z.string().optional(),
  importKeyId: z.string().optional(),
  keyId,
});
const seed = described.extend({
  ...seedOwned,
  managedBy: z.string().optional(),
  /** Set if the key was imported: its id. */
  importKeyId: z.string().optional(),
  /** Grants for projects, by their names. */
  policies: z.array(z.strictObject({ project: z.string(), ...grant })).optional(),
  clients: z.array(connex).optional(),
});

/** The content of a new issuer. */
interface Made extends z.infer<typeof described> {
  importKeyId?: string;
  keyId?: string;
  isImported: boolean;
  policies: KmsPolicy[];
}

/** Returns an issuer with its first key, which signs at once. */
function make(making: Making, { isImported, importKeyId, keyId, ...body }: Made): KmsIssuer {
  const stamps = stamped(making, 'iss_');
  const { createdAt, updatedAt } = stamps;
  const id = keyId ?? making.id('key_');
  const key = { keyId: id, activateAt: making.now(), graceHours: 1, createdAt, updatedAt };
  return {
    ...{ algorithm: 'RS512', ...body, ...stamps, ownerId: making.owner.id },
    origin: isImported ? 'external' : 'vercel',
    keys: [{ ...key, ...(importKeyId === undefined ? {} : { importKeyId }) }],
    history: [],
  };
}

/** Throws 403 for an issuer that the platform manages. */
function checkOwn({ managedBy }: KmsIssuer): void {
  if (managedBy !== undefined) throw forbidden(`The issuer is managed by ${managedBy}.`);
}

/** Returns the issuer that the path names, to change its keys; throws 403 if the platform manages it. */
export function writableIssuer(call: Call): KmsIssuer {
  const { object: issuer } = issuers.named(call);
  checkOwn(issuer);
  return issuer;
}

/** Issuers of signed tokens. Two can have the same name: no source documents a refusal. */
export const kmsIssuer: Resource = {
  ...issuers.kept(seed, (making, { policies = [], clients = [], importKeyId, managedBy, ...body }) => {
    const stamps = times(making);
    const grants = policies.map(({ project, ...rest }) => {
      const [projectId] = projectIdsOf(making, [project]);
      const teamId = making.owner.id;
      return { kind: 'project-grant' as const, teamId, projectId: projectId!, ...rest, ...stamps };
    });
    const isImported = importKeyId !== undefined;
    const allPolicies = [...grants, ...clients.map((client) => ({ ...client, ...stamps }))];
    const kmsIssuer = make(making, {
      ...body,
      policies: allPolicies,
      isImported,
      ...(isImported && { importKeyId }),
    });
    return managedBy === undefined ? kmsIssuer : { ...kmsIssuer, managedBy };
  }),
  operations: {
    listKmsIssuers: issuers.pages('issuers', { cursor: 'next' }),
    createKmsIssuer: issuers.create({ body: createBody, statuses: [201] }, (call, body) => {
      const { policy, importKey, ...rest } = body;
      checkImport(body);
      if (policy?.kind === 'project-grant') checkProjectIds(call, [policy.projectId]);
      const stamps = times(call);
      const policies = policy ? [{ ...policy, ...stamps }] : [];
      return make(call, { ...rest, policies, isImported: importKey !== undefined });
    }),
    getKmsIssuer: issuers.read(),
    updateKmsIssuer: issuers.update(
      { body: z.strictObject({ name: z.string().optional(), claimsSchema: claims.nullable().optional() }) },
      (_, issuer, { claimsSchema, ...body }) => {
        checkOwn(issuer);
        Object.assign(issuer, body);
        if (claimsSchema === null) delete issuer.claimsSchema;
        else if (claimsSchema !== undefined) issuer.claimsSchema = claimsSchema;
      },
    ),
    deleteKmsIssuer: issuers.remove(undefined, (_, issuer) => checkOwn(issuer)),
  },
  after: ['projects'],
  forget: forgetting('kmsIssuers', 'policies'),
};
