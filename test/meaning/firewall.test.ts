import { describe, expect, it } from 'vitest';
import { firewallChecks } from '../../providers/hosting/meaning/firewall/index.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { viewOf } from '../support/view-of.ts';
import { ruleOf } from './firewall-lines.ts';
import { findingsFor, shortFinding } from './firewall-view.ts';

const story = oneStoryIn(4);

/** The rules of a firewall, and what is found in them. */
type Case = [title: string, rules: string[], findings: string[]];

const harmful: Case[] = [
  [
    'a deny-all above a bypass',
    ['all deny: path pre /', 'health bypass: path eq /health'],
    ['note matches-everything all', 'warning unreachable health < all'],
  ],
  [
    'a prefix above a longer one',
    ['admin deny: path pre /admin', 'login bypass: path pre /Admin/login & method eq POST'],
    ['warning unreachable login < admin'],
  ],
  [
    'several rules that one rule hides',
    ['a deny: path pre /a', 'b bypass: path pre /ab', 'c redirect: path eq /a', 'd challenge: path pre /b'],
    ['warning unreachable b < a', 'warning unreachable c < a'],
  ],
  [
    'every group hidden, by different rules',
    [
      'a deny: path pre /a',
      'b bypass: method eq POST',
      'c challenge: path eq /a/1 | method eq post & host eq x',
    ],
    ['warning unreachable c < a < b'],
  ],
  [
    'two rules that together are everything',
    ['get deny: method eq GET', 'rest deny: method neq GET', 'api bypass: path pre /api'],
    ['warning unreachable api < get < rest'],
  ],
  [
    'two rules that together are a list',
    [
      'a deny: geo_country inc DE,FR',
      'b redirect: geo_country eq IT',
      'c challenge: geo_country inc FR,IT,DE',
    ],
    ['warning unreachable c < a < b'],
  ],
  [
    'groups of one rule that together are everything, in pairs',
    ['a deny: path pre /a & method eq GET | path pre /a & method !eq GET', 'b bypass: path eq /ab'],
    ['warning unreachable b < a'],
  ],
  [
    'a pattern as a prefix',
    ['wp deny: path re ^/wp-(admin|login)', 'ok bypass: path inc /wp-admin/ajax,/wp-login.php'],
    ['warning unreachable ok < wp'],
  ],
  [
    'a pattern above a pattern',
    ['php deny: path re \\.php$', 'x bypass: path re ^/[a-z]+/x\\.php$'],
    ['warning unreachable x < php'],
  ],
  [
    'a bypass above a deny',
    ['a bypass: header.X-Token ex', 'b deny: header.x-token eq 1'],
    ['warning unreachable b < a'],
  ],
  [
    'a redirect above a rate limit',
    ['a redirect: host suf example.com', 'b rate_limit: host eq www.example.com'],
    ['warning unreachable b < a'],
  ],
  [
    'a range that is compared in the same way',
    ['a deny: ip_address eq 10.0.0.0/8', 'b bypass: ip_address eq 10.0.0.0/8 & path pre /x'],
    ['warning unreachable b < a'],
  ],
  [
    'numbers of networks',
    ['a deny: geo_as_number gt 100', 'b bypass: geo_as_number inc 101,13335'],
    ['warning unreachable b < a'],
  ],
  [
    'existence above all comparisons',
    ['a deny: cookie.session ex', 'b challenge: cookie.session pre x'],
    ['warning unreachable b < a'],
  ],
  ['a deny for everything', ['a deny: path re .*'], ['warning matches-everything a']],
  ['a challenge for everything', ['a challenge: path sub /'], ['warning matches-everything a']],
  [
    'a bypass for everything',
    ['x deny: path eq /x', 'a bypass: method ex'],
    ['warning matches-everything a'],
  ],
  [
    'everything, in two groups',
    ['a deny: header.x ex | header.x nex & path pre /'],
    ['warning matches-everything a'],
  ],
  [
    'everything above the same action: one warning, and a note',
    ['a deny: path pre /', 'b deny: path pre /x'],
    ['note unreachable b < a', 'warning matches-everything a'],
  ],
  ['a rule that is there twice', ['a deny: path eq /a', 'b deny: path eq /A'], ['note duplicate b < a']],
  [
    'copies with conditions in another order',
    ['a deny: path eq /a & host eq x', 'b deny: host eq x & path eq /a', 'c deny: path inc /a & host eq x'],
    ['note duplicate b < a', 'note unreachable c < a'],
  ],
  ['two values at once', ['a deny: path eq /a & path eq /b'], ['warning never-matches a']],
  [
    'a value that is excluded',
    ['a deny: method inc GET,POST & method ninc post,get'],
    ['warning never-matches a'],
  ],
  ['an empty list', ['a deny: path inc '], ['warning never-matches a']],
  ['a path without a slash', ['a deny: path pre admin'], ['warning never-matches a']],
  ['a pattern for a path without a slash', ['a deny: path re ^(admin|login)'], ['warning never-matches a']],
  [
    'a pattern that goes on behind its end',
    ['a deny: host re example\\.com$/x'],
    ['warning never-matches a'],
  ],
  ['a country by its name', ['a deny: geo_country eq Germany'], ['warning never-matches a']],
  ['a host with a path', ['a deny: host eq example.com/admin'], ['warning never-matches a']],
  [
    'one group that matches nothing',
    ['a deny: path eq /a | path pre /x & path !pre /'],
    ['warning never-matches a'],
  ],
  [
    'a number out of its bounds',
    ['a deny: geo_as_number gt 5 & geo_as_number lt 6 & geo_as_number ex'],
    ['warning never-matches a'],
  ],
  ['a redirect to what it redirects', ['a redirect>/maintenance: path pre /'], ['warning redirect-loop a']],
  [
    'a redirect to what it redirects, on one host and from one country',
    ['x deny: path pre /b', 'a redirect>/a/b: path sub a & host eq x.example & geo_country neq DE'],
    ['warning redirect-loop a'],
  ],
  ['a lookahead that nothing passes', ['a deny: path re (?!)'], ['warning never-matches a']],
  ['a glob as a pattern', ['a deny: path re *.php'], ['error invalid-pattern a']],
  ['an open parenthesis', ['a deny: path re ^/(a|b'], ['error invalid-pattern a']],
];

const healthy: Case[] = [
  ['exceptions above a deny-all', ['office bypass: ip_address eq 192.0.2.7', 'rest deny: path pre /'], []],
  ['a longer prefix above a shorter one', ['a bypass: path pre /a/b', 'b deny: path pre /a'], []],
  ['a log above everything', ['a log: path pre /', 'b deny: path eq /x'], []],
  ['a rule that is not active', ['a deny off: path pre /', 'b bypass: path eq /x'], []],
  [
    'a challenge, whose rules below apply once it is solved',
    ['a challenge: path pre /a', 'b deny: path eq /a'],
    [],
  ],
  ['a limit for everything', ['a rate_limit: path pre /', 'b deny: path eq /x'], []],
  ['a segment that only looks like a prefix', ['a deny: path pre /admin/', 'b bypass: path eq /admin'], []],
  ['one group that is still reached', ['a deny: path pre /a', 'b bypass: path pre /a/b | path eq /b'], []],
  ['another header', ['a deny: header.a ex', 'b bypass: header.b eq 1'], []],
  ['an address in a range', ['a deny: ip_address eq 10.0.0.0/8', 'b bypass: ip_address eq 10.0.0.1'], []],
  ['an absent header', ['a deny: header.x eq 1', 'b deny: header.x neq 1', 'c bypass: path eq /'], []],
  ['an inverted comparison of an absent header', ['a deny: header.x neq 1', 'b bypass: header.x nex'], []],
  ['a parameter with several values', ['a deny: query.a eq 1 & query.a eq 2'], []],
  ['a repeated parameter', ['a deny: query.a neq 1', 'b bypass: query.a eq 2'], []],
  ['a bot', ['a deny: bot_category eq ai_crawler', 'b bypass: bot_category eq ai_crawler & path eq /'], []],
  ['a limit in code', ['a deny: rate_limit_api_id eq x', 'b bypass: rate_limit_api_id eq x & path eq /'], []],
  ['a rule behind the middleware', ['a deny: route pre /', 'b bypass: path eq /health'], []],
  ['a lookahead', ['a deny: path re ^/(?!api).*', 'b bypass: path pre /api'], []],
  ['an unknown operator', ['a deny: path glob /*', 'b bypass: path pre /x'], []],
  ['an encoded path', ['a deny: path eq /a%20b & path eq /ab'], []],
  ['a rest that methods leave', ['a deny: method inc GET,POST,PUT,DELETE,HEAD', 'b bypass: path pre /x'], []],
  ['an address in another spelling', ['a deny: ip_address eq ::1 & ip_address eq 0:0:0:0:0:0:0:1'], []],
  ['a redirect that leaves out its target', ['a redirect>/closed: path pre / & path neq /closed'], []],
  [
    'a redirect whose target another rule answers',
    ['b bypass: path eq /closed', 'a redirect>/closed: path pre /'],
    [],
  ],
  ['a redirect to another host', ['a redirect>https://example.net/: path pre /'], []],
  ['a redirect of posts', ['a redirect>/get: path pre / & method eq POST'], []],
  ['a redirect of clients without a cookie', ['a redirect>/welcome: path pre / & cookie.seen nex'], []],
  ['a redirect that adds a parameter', ['a redirect>/?lang=en: path eq / & query.lang nex'], []],
  [
    'a redirect behind a rule that may answer',
    ['b deny: bot_name eq x', 'a redirect>/closed: path pre /'],
    [],
  ],
  [
    'everything denied but some redirects',
    ['a redirect>https://example.net/: path eq /', 'b deny: path pre /'],
    [],
  ],
  ['allowed countries', ['a deny: geo_country ninc DE,FR', 'b challenge: geo_country eq DE'], []],
];

const find = (rules: string[], settings?: object) => findingsFor(firewallChecks, rules, settings);

describe('firewall rules', () => {
  it('that deny for different times do the same', async () => {
    const rules = [
      { ...ruleOf('a deny: path pre /a'), action: { mitigate: { action: 'deny', actionDuration: '1h' } } },
      ruleOf('b deny: path eq /a'),
      { ...ruleOf('c bypass: path eq /b'), action: { mitigate: { action: 'bypass', bypassSystem: true } } },
      ruleOf('d bypass: path eq /b'),
    ];
    const view = await viewOf(`projects: ${JSON.stringify({ web: { firewall: { rules } } })}`);
    expect([...firewallChecks[0]!.find(view)].map(shortFinding)).toEqual([
      'note unreachable b < a',
      'warning unreachable d < c',
    ]);
  });

  story('with costly expressions are given up', async () => {
    const costly = Array.from({ length: 40 }, (_, i) => `r${i} deny: path re (a|b)*a(a|b){${i + 10}}c$`);
    expect(await find([...costly, 'x bypass: path eq /y', 'y deny: path eq /y'])).toContain(
      'warning unreachable y < x',
    );
  });

  it.each(harmful)('%s', async (_, rules, findings) => {
    expect(await find(rules)).toEqual(findings);
  });

  it.each(healthy)('healthy: %s', async (_, rules, findings) => {
    expect(await find(rules)).toEqual(findings);
  });
});
