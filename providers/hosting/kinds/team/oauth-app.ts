import * as z from 'zod';
import {
  asksForWrite,
  type Change,
  defineKind,
  type Fields,
  openEnum,
  type Step,
  setOf,
  updateOnly,
} from '#kind';
import { losesItems } from '../lost-access.ts';

/** The fields whose items grant something. */
const grants = ['redirectUris', 'scopes', 'permissions'];

/**
 * True if a change may lock out people who sign in with an app, or takes something away that the app may do, so that the user has to permit
 * it.
 */
const takesAway = ({ action, fields }: Change): boolean =>
  action === 'delete' ||
  action === 'replace' ||
  fields
    .filter(asksForWrite)
    .some(({ path, before, after }) => grants.includes(path) && losesItems(before ?? [], after ?? []));

const url = (doc: string) => z.string().min(1).nullable().optional().describe(`${doc}; null for none.`);

/** True if an update has other fields than the permissions, which a request of their own changes. */
const hasOtherFields = ({ body }: Step) => Object.keys(body).some((name) => name !== 'permissions');

/**
 * An app with which people sign in with their account on the platform. Its client id cannot be had again, so it is kept without its block.
 */
export const oauthApp = defineKind({
  name: 'oauthApp',
  doc: 'An OAuth app, with which people sign in elsewhere with their account on the platform.',
  section: 'oauthApps',
  key: ['slug'],
  id: 'clientId',
  lifecycle: { container: true, asks: { 'remove-access': takesAway } },
  usual: { scopes: ['openid'] },
  fields: () => ({
    slug: z
      .string()
      .min(1)
      .describe('Its name in URLs, unique on the platform. An app that exists is found by `$id`.'),
    name: z.string().min(1).describe('Its name, which people see when they consent.'),
    description: z.string().max(500).nullable().optional().describe('Its description; null for none.'),
    homePageUri: url('The URL of its home page'),
    redirectUris: setOf(z.string().min(1))
      .optional()
      .describe('The URLs to which people return: `https`, or `http` on the own machine.'),
    scopes: setOf(openEnum(['openid', 'email', 'profile', 'offline_access']))
      .optional()
      .describe('What its tokens tell about people; `openid` is always needed.'),
    permissions: updateOnly(setOf(z.string().min(1)))
      .optional()
      .describe('What its tokens may do on the platform, such as `read:project`.'),
    privacyPolicyUrl: url('The URL of its privacy policy'),
    termsOfServiceUrl: url('The URL of its terms of service'),
    codeOfConductUrl: url('The URL of its code of conduct'),
  }),
  example: {
    shop: {
      name: 'Acme Shop',
      redirectUris: ['https://shop.example.com/callback'],
      scopes: ['openid', 'email'],
      clientSecrets: { web: { $secretTo: { file: '.secrets/shop-client-secret' } } },
    },
  },
  rules: {
    grade: (change) =>
      change.action === 'delete'
        ? { grade: 'irreversible', reason: 'nobody can sign in with it, and a new app has another client id' }
        : takesAway(change)
          ? { grade: 'disruptive', reason: 'people or the app lose access' }
          : undefined,
  },
  read: {
    single: {
      endpoint: 'GET /v1/oauth-apps/{id}',
      item: 'app',
      within: 'teamId',
      takes: 'id',
      missingCode: 'invalid_client',
    },
  },
  decode: ({ description, ...app }) => ({ ...app, ...(description ? { description } : {}) }) as Fields,
  // The platform takes null for URLs only.
  encode: ({ description, ...fields }) =>
    description === undefined ? fields : { ...fields, description: description ?? '' },
  create: 'POST /v1/oauth-apps',
  update: [
    {
      endpoint: 'PATCH /v1/oauth-apps/{id}',
      when: hasOtherFields,
      body: ({ body: { permissions: _, ...body } }) => body,
    },
    {
      endpoint: 'PATCH /v1/oauth-apps/{id}',
      when: ({ body }) => 'permissions' in body,
      body: ({ body: { permissions } }) => ({ permissions }),
    },
  ],
  delete: 'DELETE /v1/oauth-apps/{id}',
});
