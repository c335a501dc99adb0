import { defineKind, problem, readMayLack, type Step, setOf } from '#kind';
import { domainName } from './host-name.ts';
import { refuseUnregistered, registeredIn } from './registered.ts';

const name = () =>
  domainName().regex(
    /^([a-z0-9_-]+\.)+[a-z0-9-]+$/,
    'a nameserver must be a host name, such as `ns1.example.net`',
  );

/** The nameservers of a domain if they are not the platform's own. No known call goes back to the platform's. */
export const domainNameservers = defineKind({
  name: 'domainNameservers',
  doc: 'Custom nameservers of a domain registered with the platform: its records are then kept elsewhere.',
  section: 'nameservers',
  parent: 'domain',
  key: [],
  fields: () => ({
    custom: readMayLack(setOf(name())).describe(
      "The complete list, in any order. Going back to the platform's nameservers is only possible in the dashboard.",
    ),
  }),
  example: { custom: ['ns1.example.net', 'ns2.example.net'] },
  rules: {
    grade: () => ({
      grade: 'destructive',
      reason: 'the domain resolves by the new nameservers, and its records here have no effect',
    }),
  },
  read: {
    endpoint: 'GET /v5/domains/{domain}',
    item: (answer) => registeredIn(answer) && { custom: registeredIn(answer)!.customNameservers },
  },
  encode: ({ custom }) => ({ nameservers: custom }),
  update: {
    endpoint: 'PATCH /v1/registrar/domains/{domain}/nameservers',
    refuses: (step) => refuseUnregistered(step) ?? refuseReturn(step),
  },
});

/**
 * Refuses an empty list of nameservers: returns the problem, or undefined. An empty list would mean the platform's
 * nameservers, but no API call restores them.
 */
function refuseReturn({ address, after, body }: Step) {
  if ((body.nameservers as unknown[]).length > 0) return undefined;
  return problem(
    'domain/way-back',
    `${address}: there is no API call to go back to the platform's nameservers`,
    {
      address,
      at: after!.at,
      hint: "do it in the dashboard, or list the platform's nameservers here",
    },
  );
}
