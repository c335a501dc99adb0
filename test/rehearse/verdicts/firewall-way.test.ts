/* Known good and bad ways of a firewall, as lists of rules: `firewall-lines.ts` has the form of a line. */
import { expect, it } from 'vitest';
import { judgeWay } from '../../../providers/hosting/meaning/transitions/judge-way.ts';
import { createView, type PlacedObject } from '../../../src/meaning/view.ts';
import { ruleOf } from '../../meaning/firewall-lines.ts';
import { oneStoryIn } from '../../support/sweep.ts';

const story = oneStoryIn(4);

interface Entry {
  ip: string;
  action: string;
  hostname?: string;
}

interface State {
  rules?: readonly string[];
  ips?: readonly Entry[];
  isOff?: boolean;
}

/** Returns the view of a project with a firewall and a domain. */
function viewOfState({ rules = [], ips = [], isOff = false }: State) {
  const firewall = 'projects/web/firewall';
  const objects: Omit<PlacedObject, 'index' | 'isDeclared'>[] = [
    {
      address: 'projects/web/domains/shop.example',
      kind: 'projectDomain',
      parent: 'projects/web',
      fields: { name: 'shop.example' },
    },
    { address: firewall, kind: 'firewall', parent: 'projects/web', fields: { firewallEnabled: !isOff } },
    ...rules.map(ruleOf).map((rule) => ({
      address: `${firewall}/rules/${rule.name}`,
      kind: 'firewallRule',
      parent: firewall,
      fields: rule as never,
    })),
    ...ips.map(({ hostname = '*', ...entry }) => ({
      address: `${firewall}/ips/${hostname}/${entry.ip}`,
      kind: 'firewallIp',
      parent: firewall,
      fields: { hostname, ...entry },
    })),
  ];
  return createView(
    objects.map((object, index) => ({ ...object, index, isDeclared: true })),
    () => 'all',
  );
}

const short = (text: string) => text.replaceAll('projects/web/firewall/', '');

/** Returns the judgement of a way in short. */
function judge(...states: State[]): string[] {
  const { thirds, undecided } = judgeWay(states.map(viewOfState));
  return [
    ...thirds.map(({ state, request, before, during, after }) => {
      const { method, url, ip, headers, attributes } = request;
      const details = [
        ip && `from ${ip}`,
        headers && JSON.stringify(headers),
        attributes && JSON.stringify(attributes),
      ]
        .filter(Boolean)
        .join(' ');
      return short(`${state}: ${method} ${url}${details && ` ${details}`}: ${before} > ${during} > ${after}`);
    }),
    ...undecided.map(({ state, why, rules }) => short(`${state}: ${why}: ${rules.join()}`)),
  ];
}

const admin = 'admin deny: path pre /admin';
const office = 'office bypass: ip_address eq 192.0.2.7';
const guest = 'guest challenge: path pre /';

it.each<[name: string, way: State[], expected: string[]]>([
  ['nothing changes', [{ rules: [admin] }, { rules: [admin] }], []],
  ['one rule more', [{ rules: [] }, { rules: [admin] }], []],
  ['several rules, one after the other', [{ rules: [] }, { rules: [admin] }, { rules: [admin, guest] }], []],
  [
    'a rule that moves by removal and insertion opens the door for a moment',
    [{ rules: [admin, guest] }, { rules: [guest] }, { rules: [guest, admin] }],
    [
      '1: GET https://shop.example/admin {"challenge":"solved"}: deny by rules/admin > pass > deny by rules/admin',
    ],
  ],
  [
    'a rule that is replaced: removed first',
    [{ rules: [admin] }, { rules: [] }, { rules: ['login redirect>/login: path pre /admin'] }],
    ['1: GET https://shop.example/admin: deny by rules/admin > pass > redirect by rules/login'],
  ],
  [
    'a rule that is replaced: inserted first',
    [
      { rules: [admin] },
      { rules: [admin, 'login redirect>/login: path pre /admin'] },
      { rules: ['login redirect>/login: path pre /admin'] },
    ],
    [],
  ],
  [
    'a narrower deny replaces a wider one: the gap is what only the wider one has',
    [{ rules: [admin] }, { rules: [] }, { rules: ['users deny: path pre /admin/users'] }],
    ['1: GET https://shop.example/admin/users: deny by rules/admin > pass > deny by rules/users'],
  ],
  [
    'rules that no request meets both do not disturb each other',
    [
      { rules: [admin, 'api deny: path pre /api'] },
      { rules: ['api deny: path pre /api'] },
      { rules: ['api redirect>/docs: path pre /api'] },
    ],
    [],
  ],
  [
    'an exception comes after its rule, and is inserted later',
    [{ rules: [] }, { rules: [admin] }, { rules: [office, admin] }],
    ['1: GET https://shop.example/admin from 192.0.2.7: pass > deny by rules/admin > pass by rules/office'],
  ],
  [
    'a condition on a header decides',
    [
      { rules: ['a deny: header.x-check ex'] },
      { rules: [] },
      { rules: ['b redirect>/b: header.x-check eq 7'] },
    ],
    [`1: GET https://shop.example/ {"x-check":"7"}: deny by rules/a > pass > redirect by rules/b`],
  ],
  [
    'the firewall is off while its rules change',
    [{ rules: [admin] }, { rules: [admin], isOff: true }, { rules: [admin] }],
    ['1: GET https://shop.example/admin: deny by rules/admin > pass > deny by rules/admin'],
  ],
  [
    'an IP entry that is replaced by a range',
    [
      { ips: [{ ip: '198.51.100.7', action: 'deny' }] },
      {},
      { ips: [{ ip: '198.51.100.0/24', action: 'deny' }] },
    ],
    [
      '1: GET https://shop.example/ from 198.51.100.7: deny by ips/*/198.51.100.7 > pass > deny by ips/*/198.51.100.0/24',
    ],
  ],
  [
    'IP entries of one address that do different things have no known order',
    [
      { ips: [{ ip: '198.51.100.7', action: 'deny' }] },
      {
        ips: [
          { ip: '198.51.100.7', action: 'deny' },
          { ip: '198.51.100.0/24', action: 'bypass' },
        ],
      },
      { ips: [{ ip: '198.51.100.0/24', action: 'bypass' }] },
    ],
    [
      '1: IP entries for one address do different things, and no source says which one comes first: ips/*/198.51.100.7,ips/*/198.51.100.0/24',
    ],
  ],
  [
    'what cannot be compared is not passed',
    [{ rules: ['a deny: path re (?=x)a'] }, { rules: [] }, { rules: ['a redirect>/a: path re (?=x)a'] }],
    ['1: some requests depend on conditions that cannot be compared here: rules/a'],
  ],
  [
    'a rate limit hides whether the rules behind it apply',
    [
      { rules: ['limit rate_limit: path pre /', admin] },
      { rules: ['limit rate_limit: path pre /'] },
      { rules: ['limit rate_limit: path pre /', 'login redirect>/login: path pre /admin'] },
    ],
    ['1: no source says which requests the rules behind a rate limit see: rules/admin,rules/login'],
  ],
  [
    'a challenge in front of a rule that changes: whoever has solved it meets the old rule or the new one',
    [
      { rules: [admin] },
      { rules: [guest, admin] },
      { rules: [guest, 'login redirect>/login: path pre /admin', admin] },
    ],
    [],
  ],
  [
    'a rate limit in front of rules that do not change',
    [
      { rules: [admin] },
      { rules: ['limit rate_limit: path pre /', admin] },
      { rules: ['limit rate_limit: path pre /', 'other rate_limit: path pre /x', admin] },
    ],
    [],
  ],
  [
    'rules that only log decide nothing',
    [{ rules: [admin] }, { rules: ['log log: path pre /', admin] }, { rules: [admin] }],
    [],
  ],
  [
    'each state is judged, equal ones once',
    [{ rules: [admin] }, { rules: [] }, { rules: [] }, { rules: [guest] }, { rules: [office] }],
    [
      // In states 1 and 2 everybody passes, as in the end.
      '3: GET https://shop.example/admin from 192.0.2.7: deny by rules/admin > challenge by rules/guest > pass by rules/office',
    ],
  ],
])('%s', (_, way, expected) => {
  expect(judge(...way)).toEqual(expected);
});

story('compares lists of a thousand rules', () => {
  const rules = Array.from({ length: 1000 }, (_, i) => `r${i} deny: path eq /p${i}`);
  const moved = [...rules.slice(1), rules[0]!];
  expect(judge({ rules }, { rules: moved }, { rules: [...moved].reverse() })).toEqual([]);
  const login = 'login redirect>/login: path pre /p';
  expect(judge({ rules }, { rules: rules.slice(1) }, { rules: [login, ...rules] })).toEqual([
    '1: GET https://shop.example/p0: deny by rules/r0 > pass > redirect by rules/login',
  ]);
});
