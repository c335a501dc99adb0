import * as z from 'zod';
import type { Call } from '../call.ts';
import { badRequest, conflict, notFound } from '../errors.ts';
import { operation, type Resource } from '../resource.ts';
import { checkOwn } from './issuer.ts';
import { issuers, type KmsIssuer, type KmsKey, settle, showKey, statusOf } from './issuer-state.ts';

const grace = z.number().min(0).optional();
const createBody = z.strictObject({
  activation: z.enum(['automatic', 'manual']).optional(),
  revokePreviousAfterHours: grace,
  revokePreviousAt: z.union([z.string(), z.number()]).optional(),
  importKey: z.string().optional(),
  importKeyId: z.string().optional(),
});

function writable(call: Call): KmsIssuer {
  const { one } = issuers.named(call);
  checkOwn(one);
  return settle(one, call.now());
}

function keyOf(call: Call): { issuer: KmsIssuer; key: KmsKey } {
  const issuer = writable(call);
  const key = issuer.keys.find(({ keyId }) => keyId === call.params.keyId);
  if (key === undefined) throw notFound('Signing key');
  return { issuer, key };
}

/** The keys of an issuer: every new one takes the place of the one before it, once it is active. They are read with the issuer. */
export const kmsSigningKey: Resource = {
  operations: {
    createKmsSigningKey: operation(
      { on: writable, body: createBody },
      (call, issuer, { activation, revokePreviousAfterHours = 1, importKey, importKeyId }) => {
        if (importKeyId !== undefined && importKey === undefined)
          throw badRequest('Invalid request: `importKeyId` is only allowed with `importKey`.');
        const at = call.time();
        const key: KmsKey = {
          keyId: call.id('key_'),
          ...(importKeyId === undefined ? {} : { importKeyId }),
          // How long its public half takes to be known everywhere is in no source.
          ...(activation === 'manual' ? {} : { activateAt: call.now() }),
          graceHours: revokePreviousAfterHours,
          ...{ createdAt: at, updatedAt: at },
        };
        issuer.keys.push(key);
        settle(issuer, call.now());
        return showKey(call, key, issuer);
      },
    ),
    activateKmsSigningKey: operation(
      {
        on: keyOf,
        body: z.strictObject({ revokePreviousAfterHours: grace }),
        statuses: [409],
      },
      (call, { issuer, key }, { revokePreviousAfterHours: graceHours = key.graceHours }) => {
        if (statusOf(key, call.now()) !== 'pending') throw conflict('Only a pending key can be activated.');
        Object.assign(key, { activateAt: call.now(), graceHours, updatedAt: call.time() });
        settle(issuer, call.now());
        return showKey(call, key, issuer);
      },
    ),
    revokeKmsSigningKey: operation({ on: keyOf, statuses: [409] }, (call, { issuer, key }) => {
      const isActive = (one: KmsKey) => statusOf(one, call.now()) === 'active';
      if (isActive(key) && issuer.keys.filter(isActive).length === 1)
        throw conflict('It is the only key that signs: create another one first.');
      Object.assign(key, { revokeAt: call.now(), updatedAt: call.time() });
      return issuers.show(call, settle(issuer, call.now()), call.owner);
    }),
  },
};
