import * as z from 'zod';
import { defineKind } from '#kind';
import { isSwitchedOn } from '../switched-on.ts';
import { refuseUnregistered, registeredIn } from './registered.ts';

/** The renewal of a domain before it ends. The platform always has a setting; an undeclared one stays as it is. */
export const domainAutoRenew = defineKind({
  name: 'domainAutoRenew',
  doc: 'Whether a domain registered with the platform is renewed, and paid for, before its registration expires.',
  section: 'autoRenew',
  parent: 'domain',
  key: [],
  // Each renewal is paid for: the registrar sells nothing for free.
  lifecycle: { asks: { cost: isSwitchedOn('enabled') } },
  fields: () => ({
    enabled: z
      .boolean()
      .describe(
        'Whether it renews automatically. If on, each renewal costs money; if off, the domain is lost when it expires.',
      ),
  }),
  example: `$allow: [cost]
domains:
  example.com:
    autoRenew: { enabled: true }`,
  rules: {
    grade: ({ fields: [enabled] }) =>
      enabled?.after === false
        ? { grade: 'destructive', reason: 'the domain is lost when its registration expires' }
        : { grade: 'disruptive', reason: 'each renewal costs money' },
  },
  read: {
    endpoint: 'GET /v5/domains/{domain}',
    item: (answer) => registeredIn(answer) && { enabled: registeredIn(answer)!.renew === true },
  },
  encode: ({ enabled }) => ({ autoRenew: enabled }),
  update: {
    endpoint: 'PATCH /v1/registrar/domains/{domain}/auto-renew',
    refuses: refuseUnregistered,
  },
});
