import * as z from 'zod';
import { defineAction, described } from '#kind';

const { text, texts, number, flag, json, time } = described;

const asked = () => ({
  installationId: text('Of which installation.').optional(),
  audience: texts('Whom it is for.').optional(),
  scopes: texts('What it may do.').optional(),
  resources: texts('What it may be used on.').optional(),
  authorizationDetails: z.array(z.any()).optional().describe('Details of what it may do, each as JSON.'),
  validityBufferMs: number('For how many more milliseconds it has to be valid.').optional(),
});
const subject = () => json('For whom: `{"type":"app"}`, `{"type":"user","id":"..."}`.').optional();
const flow = () => ({
  returnUrl: text('Where the browser goes afterwards.').optional(),
  webhook: text('Told once it is done.').optional(),
  deviceCode: flag('With a code for a device that has no browser.').optional(),
  expiresInMs: number('For how many milliseconds the page can be used.').optional(),
});
const page = () => ({ url: text('The page to open in a browser.'), expiresAt: time('Until when.') });

export const mintConnectorToken = defineAction({
  name: 'mintConnectorToken',
  doc: 'Mints a token for the service behind a connector.',
  endpoint: 'POST /v1/connect/token/{connector}',
  on: 'connector',
  input: () => ({ subject: subject(), ...asked() }),
  grade: 'safe',
  shows: 'token',
  output: () => ({ expiresAt: time('Until when it is valid.') }),
});

export const authorizeConnector = defineAction({
  name: 'authorizeConnector',
  doc: 'Begins to authorize a connector: the answer has the page that somebody opens in a browser.',
  endpoint: 'POST /v1/connect/authorize/{connector}',
  on: 'connector',
  input: () => ({
    subject: subject(),
    ...asked(),
    ...flow(),
    prompt: text('What the page asks for.').optional(),
  }),
  grade: 'safe',
  shows: 'verifier',
  output: page,
});

export const installConnector = defineAction({
  name: 'installConnector',
  doc: 'Begins to install a connector for a customer: the answer has the page that somebody opens in a browser.',
  endpoint: 'POST /v1/connect/install/{connector}',
  on: 'connector',
  input: () => ({ ...asked(), ...flow(), tenantId: text('For which tenant.').optional() }),
  grade: 'safe',
  shows: 'verifier',
  output: page,
});

export const ejectConnector = defineAction({
  name: 'ejectConnector',
  doc: 'Makes a connector that the platform manages one of your own.',
  endpoint: 'POST /v1/connect/connectors/{connector}/managed/eject',
  on: 'connector',
  grade: 'irreversible',
  why: 'the platform does not manage it any more',
});

export const activateSigningKey = defineAction({
  name: 'activateSigningKey',
  doc: 'Signs with a pending key of an issuer from now on.',
  endpoint: 'POST /v1/kms/issuers/{kmsIssuer}/keys/{key}/activate',
  on: 'kmsIssuer',
  input: () => ({
    key: text('The id of the key.'),
    revokePreviousAfterHours: number('After how many hours the key before is revoked.').optional(),
  }),
  grade: 'disruptive',
  why: 'what is signed from now on has another key',
  repeatable: true,
  output: () => ({
    keyId: text('The id of the key.'),
    status: text('How it stands.'),
    activatedAt: time('Since when.'),
  }),
});

export const revokeSigningKey = defineAction({
  name: 'revokeSigningKey',
  doc: 'Revokes a key of an issuer: what it signed is not valid any more.',
  endpoint: 'POST /v1/kms/issuers/{kmsIssuer}/keys/{key}/revoke',
  on: 'kmsIssuer',
  input: () => ({ key: text('The id of the key.') }),
  grade: 'irreversible',
  why: 'a revoked key does not come back, and what it signed is refused',
  repeatable: true,
  output: () => ({ keyId: text('The id of the key.'), status: text('How it stands.') }),
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
    algorithm: text('How it was made.'),
    keyId: text('With which key.'),
  }),
});

export const signToken = defineAction({
  name: 'signToken',
  doc: 'Signs a JSON Web Token with the active key of an issuer.',
  endpoint: 'POST /v1/kms/issuers/{kmsIssuer}/sign/token',
  on: 'kmsIssuer',
  input: () => ({
    claims: z.record(z.string(), z.any()).optional().describe('What it says: `claims.sub=me`.'),
    headers: z.record(z.string(), z.any()).optional().describe('Headers beside its own.'),
    ttl: json('For how long it is valid.').optional(),
  }),
  grade: 'safe',
  shows: 'token',
});
