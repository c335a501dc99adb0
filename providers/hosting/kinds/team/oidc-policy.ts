import * as z from 'zod';
import {
  asksForWrite,
  atomic,
  type Change,
  defineKind,
  type Fields,
  immutable,
  mayIdentify,
  optionalText,
  setOf,
} from '#kind';
import { acceptsFewer, type Claim, losesItems } from '../lost-access.ts';

const claim = () =>
  z.strictObject({
    name: z.string().min(1).describe('The name of the claim.'),
    values: z
      .array(
        z.strictObject({
          value: z.string().describe('The value.'),
          wildcards: z.boolean().optional().describe('Whether `*` stands for any text.'),
        }),
      )
      .min(1)
      .describe('The values that it may have.'),
  });

/**
 * True if a change may take access away from workloads that a policy lets in, so that the user has to permit it: fewer tokens are accepted,
 * or they may do less.
 */
function takesAway({ action, fields }: Change): boolean {
  if (action === 'create') return false;
  if (action === 'delete' || action === 'replace') return true;
  return fields
    .filter(asksForWrite)
    .some(({ path, before, after }) =>
      path === 'claims'
        ? acceptsFewer((before ?? []) as unknown as Claim[], (after ?? []) as unknown as Claim[])
        : path !== 'name' && losesItems(before, after),
    );
}

/** A rule that exchanges tokens of another issuer for tokens of the platform. The platform needs no name; here it tells policies apart. */
export const oidcPolicy = defineKind({
  name: 'oidcPolicy',
  doc: 'Lets workloads with OIDC tokens of another issuer use a command-line client of the platform.',
  section: 'oidcPolicies',
  key: ['name'],
  id: 'policyId',
  lifecycle: { asks: { 'remove-access': takesAway } },
  fields: () => ({
    name: z.string().min(1).describe('Its name. Policies without a name are left alone.'),
    clientId: immutable(z.string().min(1)).describe('The client id of the command-line client (`cl_...`).'),
    issuerUrl: immutable(z.url({ protocol: /^https$/ })).describe('The URL of the issuer.'),
    claims: atomic(z.array(claim()).min(1)).describe('The claims that a token must have, all of them.'),
    permissions: setOf(z.string())
      .optional()
      .describe('What the tokens may do; `["*"]` for everything that the client may.'),
    commands: setOf(z.string())
      .optional()
      .describe('The commands that the tokens are for, instead of `permissions`.'),
    resources: z
      .strictObject({
        projectIds: setOf(mayIdentify('project', z.string().min(1))).describe(
          'The ids of projects; `["*"]` for all, `[]` for none.',
        ),
      })
      .optional()
      .describe('The projects that the tokens are for; all if omitted.'),
  }),
  example: {
    'web on GitHub': {
      clientId: 'cl_4Yk2bNqLr8sVtXw9',
      issuerUrl: 'https://token.actions.githubusercontent.com',
      claims: [{ name: 'repository_owner', values: [{ value: 'acme' }] }],
      permissions: ['*'],
      resources: { projectIds: ['*'] },
    },
  },
  rules: {
    grade: (change) => ({
      grade: 'disruptive',
      reason: takesAway(change)
        ? 'workloads lose their access'
        : 'workloads elsewhere get access to the account',
    }),
    // Only the code of the platform's Terraform provider shows this refusal.
    check: ({ permissions, commands }) =>
      (permissions === undefined) === (commands === undefined)
        ? [
            {
              path: permissions === undefined ? [] : ['commands'],
              severity: 'warning' as const,
              message:
                'the platform probably refuses a policy that has not either `permissions` or `commands`',
              hint: permissions === undefined ? 'add one of them' : 'remove one of them',
            },
          ]
        : [],
  },
  read: { endpoint: 'GET /v1/oauth-apps/oidc-federation/policies', items: 'policies' },
  decode: ({ claims, ...policy }) =>
    optionalText(policy.name, 'name')
      ? ({ ...policy, claims: ((claims ?? []) as Fields[]).map(withoutDefaults) } as Fields)
      : undefined,
  create: 'POST /v1/oauth-apps/oidc-federation/policies',
  update: 'PATCH /v1/oauth-apps/oidc-federation/policies/{id}',
  delete: 'DELETE /v1/oauth-apps/oidc-federation/policies/{id}',
});

/** Returns a claim without `wildcards: false`, which answers state for every value. */
function withoutDefaults({ values, ...claim }: Fields): Fields {
  const declared = (values as Fields[]).map(({ wildcards, ...value }) =>
    wildcards === true ? { ...value, wildcards } : value,
  );
  return { ...claim, values: declared };
}
