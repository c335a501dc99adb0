import * as z from 'zod';
import { times } from '../call.ts';
import { badRequest, conflict } from '../errors.ts';
import { operation, type Resource } from '../resource.ts';
import { writableIssuer } from './issuer.ts';
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

/** The keys of an issuer: every new one takes the place of the one before it, once it is active. They are read with the issuer. */
export const kmsSigningKey: Resource = {
  operations: {
    createKmsSigningKey: keys.create(
      { body: createBody },
      (call, { activation, revokePreviousAfterHours = 1, importKey, importKeyId }) => {
        if (importKeyId !== undefined && importKey === undefined)
          throw badRequest('Invalid request: `importKeyId` is only allowed with `importKey`.');
        return {
          keyId: call.id('key_'),
          ...(importKeyId === undefined ? {} : { importKeyId }),
          // How long its public half takes to be known everywhere is in no source.
          ...(activation === 'manual' ? {} : { activateAt: call.now() }),
          graceHours: revokePreviousAfterHours,
          ...times(call),
        };
      },
    ),
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
};
