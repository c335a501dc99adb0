import * as z from 'zod';
import { type ApiObject, defineKind, type Fields, objectsOfMap, requireText, spelledAlike } from '#kind';

const everybody = '*';

/**
 * Returns the body that grants a person access to a protected alias, or takes it away. `who`: a user id, an e-mail address, or everybody.
 */
const command = ({ who }: Fields, isGranted: boolean): ApiObject => {
  if (who === everybody)
    return {
      override: { scope: 'alias-protection-override', action: isGranted ? 'create' : 'revoke' },
    };
  const person = String(who).includes('@') ? { email: who } : { userId: who };
  return { scope: { ...person, access: isGranted ? 'granted' : 'denied' } };
};

/**
 * Somebody who sees what an alias shows although it is protected. Links that can be shared have secrets of the platform, and are none. Only
 * the body that makes such a link takes a `ttl`, so access of a person cannot end by itself.
 */
export const aliasBypass = defineKind({
  name: 'aliasBypass',
  doc: 'Lets a person, or everybody, view a protected alias until the block is removed. Links to share, which can have an end, are made in the dashboard.',
  section: 'protectionBypasses',
  parent: 'alias',
  key: ['who'],
  id: 'who',
  lifecycle: { replace: 'free', asks: { 'remove-access': 'delete' } },
  fields: () => ({
    who: spelledAlike(z.string().min(1), (text) => (text.includes('@') ? text.toLowerCase() : text)).describe(
      'A user id, the e-mail address of an invited person, or `*` for everybody.',
    ),
  }),
  example: `projects:
  web:
    aliases:
      demo.example.com:
        deploymentId: dpl_5WJWYSyB7BpgTj3EuwF37WMRBXBtPQ2iTMJHJBJyRfd
        protectionBypasses: { grace@example.com: {} }`,
  rules: {
    grade: ({ action, after }) =>
      action === 'create'
        ? {
            grade: 'disruptive',
            reason: `${after?.fields.who === everybody ? 'everybody sees' : 'another person sees'} protected deployments`,
          }
        : undefined,
  },
  read: {
    endpoint: 'GET /v4/aliases/{alias}',
    items: ({ protectionBypass }) =>
      objectsOfMap(protectionBypass, 'protectionBypass').flatMap(([key, { scope, access }]) => {
        if (requireText(scope, 'scope') === 'alias-protection-override') return { who: everybody };
        // A user who only asked for access has none yet.
        const isGranted =
          scope === 'email_invite' || (scope === 'user' && requireText(access, 'access') === 'granted');
        return isGranted ? { who: key } : [];
      }),
  },
  create: {
    endpoint: 'PATCH /aliases/{alias}/protection-bypass',
    body: ({ after }) => command(after!.fields, true),
  },
  delete: {
    endpoint: 'PATCH /aliases/{alias}/protection-bypass',
    body: ({ before }) => command(before!.fields, false),
  },
});
