import * as z from 'zod';
import { defineKind, problem, readMayLack, type Step, setOf } from '#kind';
import { toAscii } from './dns-content.ts';
import { onlyRegistered, registeredIn } from './registered.ts';

const name = () =>
  z
    .string()
    .overwrite((text) => toAscii(text).replace(/\.$/, ''))
    .regex(/^([a-z0-9_-]+\.)+[a-z0-9-]+$/, 'a nameserver is a host name, such as `ns1.example.net`');

/** The nameservers of a domain in place of the platform's own. No call is known that goes back to those. */
export const domainNameservers = defineKind({
  name: 'domainNameservers',
  doc: 'The nameservers of a domain that is registered with the platform, in place of its own: then the records are kept elsewhere.',
  section: 'nameservers',
  parent: 'domain',
  key: [],
  fields: () => ({
    custom: readMayLack(setOf(name())).describe(
      'All of them, in any order; none where it has those of the platform. The way back to these is in the dashboard only.',
    ),
  }),
  example: { custom: ['ns1.example.net', 'ns2.example.net'] },
  rules: {
    grade: () => ({
      grade: 'destructive',
      reason: 'the domain goes where the new nameservers say, and its records here count no more',
    }),
  },
  read: {
    endpoint: 'GET /v5/domains/{domain}',
    item: (answer) => registeredIn(answer) && { custom: registeredIn(answer)!.customNameservers },
  },
  encode: ({ custom }) => ({ nameservers: custom }),
  update: {
    endpoint: 'PATCH /v1/registrar/domains/{domain}/nameservers',
    refuses: (step) => onlyRegistered(step) ?? wayBack(step),
  },
});

function wayBack({ address, after, body }: Step) {
  if ((body.nameservers as unknown[]).length > 0) return undefined;
  return problem(
    'domain/way-back',
    `${address}: no call is known that goes back to the nameservers of the platform`,
    {
      address,
      at: after!.at,
      hint: 'do it in the dashboard; or name those of the platform here, as it says for a domain without others',
    },
  );
}
