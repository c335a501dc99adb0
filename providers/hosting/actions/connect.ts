import * as z from 'zod';
import { defineAction, described } from '#kind';

const { text, texts, number, flag, json, time } = described;

/** Describes the inputs that say what access to an installation is requested. */
const asked = () => ({
  installationId: text('The installation.').optional(),
  audience: texts('The user or app it is for.').optional(),
  scopes: texts('What it may do.').optional(),
  resources: texts('What it may be used on.').optional(),
  authorizationDetails: z.array(z.any()).optional().describe('Further permissions, each as JSON.'),
  validityBufferMs: number('The minimum remaining validity, in milliseconds.').optional(),
});
const subject = () => json('The subject: `{"type":"app"}`, `{"type":"user","id":"..."}`.').optional();
/** Describes the inputs of a sign-in in the browser. */
const flow = () => ({
  returnUrl: text('Where the browser is redirected afterwards.').optional(),
  webhook: text('A URL that is called when it is done.').optional(),
  deviceCode: flag('Use a code, for devices without a browser.').optional(),
  expiresInMs: number('How long the page is valid, in milliseconds.').optional(),
});
const page = () => ({ url: text('The page to open in a browser.'), expiresAt: time('When it expires.') });

export const mintConnectorToken = defineAction({
  name: 'mintConnectorToken',
  doc: 'Mints a token for the service behind a connector.',
  endpoint: 'POST /v1/connect/token/{connector}',
  on: 'connector',
  input: () => ({ subject: subject(), ...asked() }),
  grade: 'safe',
  shows: 'token',
  output: () => ({ expiresAt: time('When it expires.') }),
});

export const authorizeConnector = defineAction({
  name: 'authorizeConnector',
  doc: 'Starts authorizing a connector: returns a page to open in a browser.',
  endpoint: 'POST /v1/connect/authorize/{connector}',
  on: 'connector',
  input: () => ({
    subject: subject(),
    ...asked(),
    ...flow(),
    prompt: text('The scopes to request.').optional(),
  }),
  grade: 'safe',
  shows: 'verifier',
  output: page,
});

export const installConnector = defineAction({
  name: 'installConnector',
  doc: 'Starts installing a connector for a customer: returns a page to open in a browser.',
  endpoint: 'POST /v1/connect/install/{connector}',
  on: 'connector',
  input: () => ({ ...asked(), ...flow(), tenantId: text('The tenant.').optional() }),
  grade: 'safe',
  shows: 'verifier',
  output: page,
});

export const ejectConnector = defineAction({
  name: 'ejectConnector',
  doc: 'Turns a connector managed by the platform into one of your own.',
  endpoint: 'POST /v1/connect/connectors/{connector}/managed/eject',
  on: 'connector',
  grade: 'irreversible',
  why: 'the platform no longer manages it',
});

export const activateSigningKey = defineAction({
  name: 'activateSigningKey',
  doc: 'Activates a pending key of an issuer for signing.',
  endpoint: 'POST /v1/kms/issuers/{kmsIssuer}/keys/{key}/activate',
  on: 'kmsIssuer',
  input: () => ({
    key: text('The id of the key.'),
    revokePreviousAfterHours: number('Hours until the previous key is revoked.').optional(),
  }),
  grade: 'disruptive',
  why: 'new signatures use a different key',
  repeatable: true,
  output: () => ({
    keyId: text('The id of the key.'),
    status: text('Its status.'),
    activatedAt: time('When it was activated.'),
  }),
});

export const revokeSigningKey = defineAction({
  name: 'revokeSigningKey',
  doc: 'Revokes a key of an issuer: its signatures are no longer valid.',
  endpoint: 'POST /v1/kms/issuers/{kmsIssuer}/keys/{key}/revoke',
  on: 'kmsIssuer',
  input: () => ({ key: text('The id of the key.') }),
  grade: 'irreversible',
  why: 'a revoked key cannot be restored, and what it signed is rejected',
  repeatable: true,
  output: () => ({ keyId: text('The id of the key.'), status: text('Its status.') }),
});

export const signMessage = defineAction({
  name: 'signMessage',
  doc: 'Signs a message with the active key of an issuer.',
  endpoint: 'POST /v1/kms/issuers/{kmsIssuer}/sign/message',
  on: 'kmsIssuer',
  input: () => ({ message: text('The message, in base64.') }),
  grade: 'safe',
  repeatable: true,
  output: () => ({
    signature: text('The signature, in base64.'),
    algorithm: text('The algorithm.'),
    keyId: text('The id of the key.'),
  }),
});

export const signToken = defineAction({
  name: 'signToken',
  doc: 'Signs a JSON Web Token with the active key of an issuer.',
  endpoint: 'POST /v1/kms/issuers/{kmsIssuer}/sign/token',
  on: 'kmsIssuer',
  input: () => ({
    claims: z.record(z.string(), z.any()).optional().describe('The claims: `claims.sub=me`.'),
    headers: z.record(z.string(), z.any()).optional().describe('Additional headers.'),
    ttl: json('How long it is valid.').optional(),
  }),
  grade: 'safe',
  shows: 'token',
});
