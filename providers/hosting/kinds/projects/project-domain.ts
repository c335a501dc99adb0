import * as z from 'zod';
import { defineKind, immutable, onlyDeclared, refTo, softRefTo, withTraits } from '#kind';
import { domainName, domainProblems } from '../domains/host-name.ts';
import { quoted } from '../pending.ts';
import { hasOwnDns, misconfiguration } from './domain-dns.ts';

/**
 * Returns the first three DNS records that the platform asks for to verify a domain, as texts. Shown while an apply
 * waits for the domain. The form of the answer is not trusted.
 */
function wantedRecords(verification: unknown): string[] {
  const challenges: unknown[] = Array.isArray(verification) ? verification : [];
  return challenges.slice(0, 3).flatMap((challenge) => {
    const { type, domain, value } = (challenge ?? {}) as Record<string, unknown>;
    const [what, host, holds] = [type, domain, value].map(quoted);
    return host === undefined || holds === undefined
      ? []
      : [`${what ?? 'a record'} at ${host} with ${holds}`];
  });
}

/** A domain that a project answers under. The target of a redirect is created first and deleted last. */
export const projectDomain = defineKind({
  name: 'projectDomain',
  doc: 'A domain that a project serves or redirects.',
  example: { 'www.example.com': {}, 'example.com': { redirect: 'www.example.com', redirectStatusCode: 308 } },
  section: 'domains',
  parent: 'project',
  // Each project has a domain of the platform from its creation: it is neither exported nor deleted, unless it is declared or redirects.
  shape: {
    ...onlyDeclared,
    onlyDeclared: ({ name, redirect, gitBranch, customEnvironmentId }) =>
      String(name).endsWith('.vercel.app') && !redirect && !gitBranch && !customEnvironmentId,
    words: () => [
      "The platform's own domain of a project under `vercel.app` counts only if it is declared or redirects.",
    ],
  },
  key: ['name'],
  id: 'name',
  fields: () => ({
    name: withTraits(domainName(), {
      immutable: true,
      within: 'domain',
      sole: 'domain',
    }).describe('The domain, such as `www.example.com`.'),
    gitBranch: z
      .string()
      .nullable()
      .optional()
      .describe('The branch whose latest deployment the domain serves; null for production.'),
    customEnvironmentId: immutable(refTo('customEnvironment'))
      .optional()
      .describe('The slug of the custom environment that the domain serves.'),
    redirect: softRefTo('projectDomain', domainName(), {
      code: 'redirect/loop',
      message: (names) =>
        names.length === 2
          ? `${names[0]} redirects to itself, so no request for it ever ends`
          : `these redirects lead in a circle: ${names.join(' → ')}, so no request for them ever ends`,
      hint: 'remove one of the redirects, or change its destination',
    })
      .nullable()
      .optional()
      .describe('The domain to redirect to; null for no redirect.'),
    redirectStatusCode: z
      .literal([301, 302, 307, 308])
      .nullable()
      .optional()
      .describe('The HTTP status of the redirect.'),
  }),
  rules: {
    check: ({ name, redirect, redirectStatusCode }) => [
      ...domainProblems(String(name)).map((finding) => ({ path: ['name'], ...finding })),
      ...(typeof redirect === 'string' ? domainProblems(redirect) : []).map((finding) => ({
        path: ['redirect'],
        ...finding,
      })),
      ...(redirectStatusCode && !redirect
        ? [{ path: ['redirectStatusCode'], message: 'a status code needs `redirect`' }]
        : []),
    ],
  },
  read: {
    endpoint: 'GET /v9/projects/{project}/domains',
    items: 'domains',
    byId: { endpoint: 'GET /v9/projects/{project}/domains/{id}', within: 'projectId' },
    facts: ['apexName'],
    later: {
      until:
        'it is verified (under a domain of another account, by a DNS record there) and its DNS points to the platform',
      person: true,
      rarely: true,
      // The platform never checks it unless it is asked to.
      ask: 'POST /v9/projects/{project}/domains/{id}/verify',
      pending({ verified, verification }) {
        if (verified !== false) return undefined;
        const records = wantedRecords(verification);
        const wanted = records.length > 0 ? `: it needs ${records.join(', or ')}` : '';
        return { reason: `the platform has not verified it yet${wanted}` };
      },
      check: {
        endpoint: 'GET /v6/domains/{id}/config?projectIdOrName={project}',
        appliesTo: hasOwnDns,
        pending: misconfiguration,
        facts: ['misconfigured'],
      },
    },
  },
  create: 'POST /v10/projects/{project}/domains',
  update: 'PATCH /v9/projects/{project}/domains/{id}',
  delete: 'DELETE /v9/projects/{project}/domains/{id}',
  // It resets the members that the body leaves out.
  move: {
    endpoint: 'POST /v1/projects/{from}/domains/{id}/move',
    params: ({ from }) => ({ from: from! }),
    body: ({ parent, fullBody: { gitBranch = null, redirect = null, redirectStatusCode } }) => ({
      projectId: parent,
      gitBranch,
      redirect,
      ...(redirect !== null && redirectStatusCode !== undefined ? { redirectStatusCode } : {}),
    }),
  },
});
