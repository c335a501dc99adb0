import { expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(3);

const yaml = `stack: shop
platform: { team: acme }
projects:
  web:
    framework: nextjs
    domains:
      shop.example.com: {}
      old.example.com: { redirect: shop.example.com, redirectStatusCode: 308 }
    bulkRedirects: { /about: { destination: /company, statusCode: 301, caseSensitive: true } }
    routes:
      - { name: app, srcSyntax: equals, route: { src: /app, dest: https://app.example.net, caseSensitive: true } }
    firewall:
      firewallEnabled: true
      rules:
        - name: office
          active: true
          conditionGroup: [{ conditions: [{ type: ip_address, op: eq, value: 192.0.2.7 }] }]
          action: { mitigate: { action: bypass } }
        - name: block-admin
          active: true
          conditionGroup: [{ conditions: [{ type: path, op: pre, value: /admin }] }]
          action: { mitigate: { action: deny } }
        - name: login
          active: true
          conditionGroup: [{ conditions: [{ type: path, op: eq, value: /login }] }]
          action: { mitigate: { action: redirect, redirect: { location: /sign-in, permanent: false } } }
        - name: slow
          active: true
          conditionGroup: [{ conditions: [{ type: path, op: eq, value: /search }] }]
          action: { mitigate: { action: challenge } }
domains:
  example.com:
    $exclusive: [records]
    records:
      - { type: A, name: "@", value: 192.0.2.1 }
      - { type: MX, name: "@", value: mail.example.com, mxPriority: 10 }
      - { type: CNAME, name: www, value: example.com }
`;

/** Runs tests on the configuration. Returns the lines about results, expected and actual values. */
async function runTests(tests: string) {
  const shell = await new Shell().write({ 'trueup.yaml': yaml, 'shop.test.yaml': `tests:\n${tests}` });
  const { stdout, stderr, status } = await shell.run(['test']);
  const lines = stdout.match(/^ +(passed|failed|Error:|\| (expected|actual):|->) .*$/gm) ?? [];
  return { status, stderr, lines: lines.map((line) => line.trim()) };
}

story(
  'the request of a visitor has the verdict, the rule and the redirect that the configuration says',
  async () => {
    const ran = await runTests(`
  - name: visitors from outside do not reach the admin
    request: { url: https://shop.example.com/admin/users, ip: 203.0.113.9 }
    expect: { verdict: deny, rule: block-admin }
  - name: the office does
    request: { url: https://shop.example.com/admin, ip: 192.0.2.7 }
    expect: { verdict: serve, rule: office, servedBy: projects/web }
  - name: the login has a new place
    request: { url: https://shop.example.com/login, ip: 203.0.113.9 }
    expect: { verdict: redirect, redirect: /sign-in, rule: projects/web/firewall/rules/login }
  - name: searching is for people
    request: { url: https://shop.example.com/search, method: POST, ip: 203.0.113.9 }
    expect: { verdict: challenge, rule: slow }
  - name: the old shop leads to the new one
    request: { url: https://old.example.com/cart, ip: 203.0.113.9 }
    expect: { verdict: redirect, redirect: https://shop.example.com/cart, status: 308 }
  - name: an old page leads to the new one
    request: { url: https://shop.example.com/about, ip: 203.0.113.9 }
    expect: { redirect: /company, status: 301, rule: /about }
  - name: a route answers
    request: { url: https://shop.example.com/app, ip: 203.0.113.9 }
    expect: { verdict: answer, rule: app }
  - name: other hosts are not served
    request: { url: https://other.example.com/ }
    certain: false
    expect: { verdict: unserved }
  - name: without the rule, anybody reaches the admin
    request: { url: https://shop.example.com/admin, ip: 203.0.113.9 }
    patch: { $drop: [projects/web/firewall/rules/block-admin] }
    expect: { verdict: serve }
  - name: names have their records
    dns: { name: example.com, type: MX }
    expect: { answer: [10 mail.example.com.] }
  - name: a name that is another name
    dns: { name: www.example.com, type: A }
    expect: { answer: [192.0.2.1] }
`);
    expect(ran.stderr).toBe('');
    expect(ran.lines.filter((line) => !line.startsWith('passed'))).toEqual([]);
    expect(ran).toMatchObject({ status: 0, lines: { length: 11 } });
  },
);

story('what differs and what is not certain is said in the words of the trace', async () => {
  const ran = await runTests(`
  - name: another verdict
    request: { url: https://shop.example.com/admin, ip: 203.0.113.9 }
    expect: { verdict: serve, rule: office, redirect: /x, status: 308, servedBy: projects/blog }
  - name: no address
    request: { url: https://shop.example.com/admin }
    expect: { verdict: deny }
  - name: no address, but accepted
    request: { url: https://shop.example.com/admin }
    certain: false
    expect: { verdict: deny }
  - name: other records
    dns: { name: example.com, type: A }
    expect: { answer: [192.0.2.9] }
`);
  expect(ran.lines).toEqual([
    'failed  another verdict',
    'Error: `verdict`: the request has another verdict [test/failed]',
    '| expected: serve',
    '| actual:   deny by projects/web/firewall/rules/block-admin',
    'Error: `rule`: another rule decides [test/failed]',
    '| expected: office',
    '| actual:   block-admin (projects/web/firewall/rules/block-admin)',
    'Error: `redirect`: the request is redirected elsewhere [test/failed]',
    '| expected: /x',
    '| actual:   it is not redirected',
    'Error: `status`: the status differs [test/failed]',
    '| expected: 308',
    '| actual:   not known',
    'Error: `servedBy`: another project has the host [test/failed]',
    '| expected: projects/blog',
    '| actual:   projects/web',
    'failed  no address',
    'Error: `verdict`: the result is not certain: projects/web/firewall/rules/office may decide first: bypass [test/failed]',
    '-> say more about the request, or accept it with `certain: false` beside `expect`',
    'passed  no address, but accepted',
    'failed  other records',
    'Error: `answer`: example.com A has other records [test/failed]',
    '| expected: `192.0.2.9`',
    '| actual:   `192.0.2.1`',
  ]);
});

test.each([
  [
    '  - { name: none, expect: { verdict: deny, answer: [a] } }',
    [
      'Error: `verdict` needs `request` beside `expect`: the request of a visitor, with its `url` [test/form]',
      'Error: `answer` needs `dns` beside `expect`: a name and a type [test/form]',
    ],
  ],
  [
    '  - { name: wrong, request: { url: shop, method: get, ip: 1.2.3 }, expect: { verdict: denied } }',
    [
      'Error: a URL looks like https://shop.example/admin [test/form]',
      'Error: write the method in capitals, such as GET [test/form]',
      'Error: this must be an IP address such as 203.0.113.9 [test/form]',
      'Error: this value is not allowed here [test/form]',
    ],
  ],
  [
    '  - { name: unused, request: { url: https://a.example/ }, dns: { name: a.example, type: a }, expect: { create: 1 } }',
    ['Error: write the type in capitals, such as A or MX [test/form]'],
  ],
  [
    '  - { name: unused, request: { url: https://a.example/ }, dns: { name: a.example, type: A }, expect: { create: 1 } }',
    [
      'Error: no member of `expect` is about `request` [test/form]',
      'Error: no member of `expect` is about `dns` [test/form]',
    ],
  ],
])('mistakes are reported: %s', async (text, expected) => {
  const { lines } = await runTests(text);
  expect(lines.filter((line) => line.startsWith('Error:'))).toEqual(expected);
});
