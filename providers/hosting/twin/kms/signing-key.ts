import * as z from 'zod';
import { type Call, times } from '../call.ts';
import { badRequest, conflict } from '../errors.ts';
import { operation, type Resource } from '../resource.ts';
import { checkImport, keyId, writableIssuer } from './issuer.ts';
import { issuers, type KmsKey, settle, showKey, statusOf } from './issuer-state.ts';

const grace = z.number().min(0).optional();
const createBody = z.strictObject({
  activation: z.enum(['automatic', 'manual']).optional(),
  revokePreviousAfterHours: grace,
  revokePreviousAt: z.union([z.string(), z.number()]).optional(),
  importKey: z.string().optional(),
  importKeyId: z.string().optional(),
});

const keys = issuers.inside(
  'keys',
  {
    ...{ what: 'Signing key', param: 'keyId', by: ['keyId'] },
    shows: (call, key, issuer) => showKey(call, key, settle(issuer, call.now())),
  },
  (call) => settle(writableIssuer(call), call.now()),
);

/**
 * A new key by the older path of the Terraform provider (client/kms.go). The request names the end of the keys before it
 * and the id of the new one.
 */
const rotation = z.strictObject({
  revokePreviousAt: z.string().optional(),
  importKey: z.string().optional(),
  keyId,
});

/** Returns a key that signs at once. Throws 400 if the end of the keys before it is no time. */
function rotate(call: Call, body: z.infer<typeof rotation>): KmsKey {
  const { keyId = call.id('key_'), revokePreviousAt } = body;
  checkImport(body);
  const activateAt = call.now();
  const end = revokePreviousAt === undefined ? activateAt + 3_600_000 : Date.parse(revokePreviousAt);
  if (Number.isNaN(end)) throw badRequest('Invalid request: `revokePreviousAt` should be a date-time.');
  const graceHours = Math.max(0, end - activateAt) / 3_600_000;
  return { keyId, activateAt, graceHours, ...times(call) };
}

/** The keys of an issuer. A new key replaces the one before it once it is active. Only reads of the issuer show them. */
export const kmsSigningKey: Resource = {
  operations: {
    createKmsSigningKey: keys.create({ body: createBody }, (call, body) => {
      const { activation, revokePreviousAfterHours: graceHours = 1, importKeyId } = body;
      checkImport(body);
      return {
        keyId: call.id('key_'),
        ...(importKeyId === undefined ? {} : { importKeyId }),
        // The key is active at once, because no source says how long its public half takes to spread.
        ...(activation === 'manual' ? {} : { activateAt: call.now() }),
        graceHours,
        ...times(call),
      };
    }),
    activateKmsSigningKey: keys.update(
      { body: z.strictObject({ revokePreviousAfterHours: grace }), statuses: [409] },
      (call, key, { revokePreviousAfterHours: graceHours = key.graceHours }) => {
        if (statusOf(key, call.now()) !== 'pending') throw conflict('Only a pending key can be activated.');
        Object.assign(key, { activateAt: call.now(), graceHours });
      },
    ),
    revokeKmsSigningKey: operation(
      { on: keys.named, statuses: [409] },
      (call, { home: issuer, object: signingKey }) => {
        const isActive = (key: KmsKey) => statusOf(key, call.now()) === 'active';
        if (isActive(signingKey) && issuer.keys.filter(isActive).length === 1)
          throw conflict('It is the only key that signs: create another one first.');
        Object.assign(signingKey, { revokeAt: call.now(), updatedAt: call.time() });
        return issuers.show(call, settle(issuer, call.now()), call.owner);
      },
    ),
  },
  clientOperations: {
    'POST /v1/kms/issuers/{issuerId}/keys/rotate': keys.create({ body: rotation }, rotate),
  },
};
