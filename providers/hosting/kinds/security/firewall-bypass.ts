import * as z from 'zod';
import { type Alignment, type ApiObject, createOnly, defineKind, type Fields, warning } from '#kind';
import { domainName } from '../domains/host-name.ts';
import { ipRange, lower } from './ip-range.ts';

const anySource = '*';
// How the platform reads back a bypass for all sources is not documented. A range of everything can be no other entry. An absent source
// says nothing.
const everywhere: unknown[] = ['', anySource, '0.0.0.0/0', '::/0'];

/** The members that say which bypass is meant, as creation and deletion take them. */
const meant = ({ domain, sourceIp }: Fields): ApiObject => ({
  ...(domain === anySource ? { projectScope: true } : { domain }),
  ...(sourceIp === anySource ? { allSources: true } : { sourceIp }),
});

/**
 * Requests that the platform's own protection lets through. The platform cannot change a bypass, so it is deleted and created again. An
 * end is a length of time from the creation on (`ttl`), so the end of an existing bypass cannot be declared.
 */
export const firewallBypass = defineKind({
  name: 'firewallBypass',
  doc: 'Lets requests through that the platform would block as an attack, for good or for some time after its creation.',
  section: 'firewallBypasses',
  parent: 'project',
  key: ['domain', 'sourceIp'],
  id: 'Id',
  lifecycle: { after: ['projectDomain'], replace: 'free' },
  undeclared: ['ExpiresAt'],
  fields: () => ({
    domain: domainName().describe('A production domain of the project; `*` for the whole project.'),
    sourceIp: z
      .string()
      .toLowerCase()
      .pipe(z.union([z.literal(anySource), ipRange()]))
      .describe('The source address or range, no wider than /16; `*` for anywhere.'),
    note: z.string().max(500).optional().describe('A note about the entry.'),
    ttl: createOnly(z.int().min(1))
      .optional()
      .describe(
        'How long it lasts after its creation, in milliseconds; without end if omitted. The next apply after its end creates it again: remove the block in time.',
      ),
  }),
  example: `projects:
  web:
    firewallBypasses:
      - { domain: '*', sourceIp: 192.0.2.7, note: the load test, ttl: 3600000 }
      - { domain: www.example.com, sourceIp: 198.51.100.0/24 }`,
  rules: {
    align: (unit) => ({ desired: unit.desired.fields, problems: expiring(unit) }),
    grade: ({ action }) =>
      action === 'create'
        ? { grade: 'disruptive', reason: "the platform's protection lets more requests through" }
        : undefined,
  },
  read: {
    endpoint: 'GET /v1/security/firewall/bypass?projectId={project}',
    items: 'result',
    deletedMark: 'DeletedAt',
    facts: ['ExpiresAt'],
  },
  decode: ({ Action, IsProjectRule, Domain, Ip, Note }) =>
    Action === 'block'
      ? undefined
      : ({
          domain: IsProjectRule === true ? anySource : Domain,
          sourceIp: everywhere.includes(Ip) ? anySource : lower(Ip),
          note: Note,
        } as Fields),
  create: {
    endpoint: 'POST /v1/security/firewall/bypass?projectId={project}',
    body: ({ after, body: { note, ttl } }) => ({ ...meant(after!.fields), note, ttl }),
    // The answer is a list. How it shows the domain of a bypass for the whole project is not documented.
    returns: ({ address, after }) => {
      const { domain: Domain } = after!.fields;
      return [{ address, path: ['result', Domain === anySource ? {} : { Domain }, 'Id'] }];
    },
  },
  delete: {
    endpoint: 'DELETE /v1/security/firewall/bypass?projectId={project}',
    body: ({ before }) => meant(before!.fields),
  },
});

/** Warns of a declared bypass of the firewall that expires: after its end, the next run would create it again. */
function expiring({ desired: { address, at, fields }, live }: Alignment) {
  const seconds = live?.facts?.ExpiresAt;
  if (typeof seconds !== 'number' || seconds === 0) return [];
  const end = new Date(seconds * 1000).toISOString();
  return [
    warning(
      'firewall/bypass-ends',
      `${address} ends on its own at ${end}; declared, it is then created again, ${fields.ttl === undefined ? 'without an end' : 'for the time of its `ttl`'}`,
      { address, at, hint: 'remove the block to let it end' },
    ),
  ];
}
