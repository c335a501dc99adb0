import * as z from 'zod';
import { createOnly, defineKind, openEnum, readMayLack, updateOnly } from '#kind';
import { quoted } from '../pending.ts';
import { domainName, domainProblems } from './host-name.ts';

/** An apex domain of the account, with its zone. */
export const domain = defineKind({
  name: 'domain',
  doc: 'An apex domain of the account: the home of DNS records.',
  example: { 'example.com': { echMode: 'auto' } },
  section: 'domains',
  otherWords: ['zone'],
  key: ['name'],
  id: 'name',
  lifecycle: { replace: 'never', container: true, refusedWhileUsed: true },
  usual: { zone: true, echMode: 'disabled' },
  fields: () => ({
    name: domainName().describe('The apex domain, such as `example.com`.'),
    zone: readMayLack(z.boolean())
      .optional()
      .describe('Whether the platform keeps a DNS zone for the domain.'),
    cdnEnabled: createOnly(z.boolean())
      .optional()
      .describe('Whether the domain is added with the CDN enabled.'),
    echMode: updateOnly(readMayLack(openEnum(['auto', 'disabled'])))
      .optional()
      .describe('Whether encrypted client hello is offered.'),
  }),
  rules: {
    check: ({ name }) => domainProblems(String(name)).map((finding) => ({ path: ['name'], ...finding })),
  },
  read: {
    endpoint: 'GET /v5/domains',
    items: 'domains',
    single: { endpoint: 'GET /v5/domains/{id}', item: 'domain' },
    // Records of a domain whose DNS is elsewhere have no effect, so checks must not judge by them.
    facts: ['serviceType', 'nameservers', 'customNameservers'],
    later: {
      until: 'the platform has verified that the domain is yours',
      person: true,
      rarely: true,
      // Nameservers of somebody else are no reason: many domains have their DNS elsewhere on purpose.
      pending({ verified, intendedNameservers }) {
        if (verified !== false) return undefined;
        const named = Array.isArray(intendedNameservers) ? intendedNameservers.slice(0, 4) : [];
        const wanted = named.flatMap((name) => quoted(name) ?? []).join(' and ');
        const takes = wanted && `: its registrar must be set to the nameservers ${wanted}`;
        return { reason: `the platform has not verified yet that the domain is yours${takes}` };
      },
    },
  },
  create: { endpoint: 'POST /v7/domains', body: ({ body }) => ({ method: 'add', ...body }) },
  // The operation also takes `move-out`, a transfer: never sent from here.
  update: { endpoint: 'PATCH /v3/domains/{id}', body: ({ body }) => ({ op: 'update', ...body }) },
  delete: 'DELETE /v6/domains/{id}',
});
