import { describe, expect, it } from 'vitest';
import { problem, warning } from '../../src/model/diagnostic.ts';
import type { Account, Plan } from '../../src/model/plan.ts';
import { Sealed } from '../../src/model/sealed.ts';
import { planHtml } from '../../src/report/html/page.ts';
import { planMarkdown } from '../../src/report/markdown/plan-markdown.ts';
import { planDocument } from '../../src/report/plan-document.ts';
import { planJson } from '../../src/report/plan-json.ts';
import { planReport, planText } from '../../src/report/plan-text.ts';
import { styleFor } from '../../src/report/style.ts';
import { planLines } from '../../src/report/terraform/plan-lines.ts';
import { terraformPlan } from '../../src/report/terraform/terraform-plan.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { at, change, colorStyle, edit, operation, plainStyle, planOf, ref, secret, set } from './builders.ts';
import { realistic } from './realistic.ts';

const story = oneStoryIn(4);

const text = (plan: Parameters<typeof planText>[0], more = {}) =>
  planText(plan, { style: plainStyle, requests: false, ...more });

/** The text of one change alone. */
const one = (...args: Parameters<typeof change>) =>
  text(planOf({ changes: [change(...args)] })).split('\n\n')[1];

describe('a realistic plan', () => {
  it('for a reviewer', async () => {
    await expect(text(realistic)).toMatchFileSnapshot('golden/plan.txt');
  });

  it('with its requests', async () => {
    await expect(text(realistic, { requests: true })).toMatchFileSnapshot('golden/plan-requests.txt');
  });

  it('in colour says the same', () => {
    const colored = text(realistic, { style: colorStyle, requests: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
    expect(colored.replace(/\u001b\[\d+m/g, '')).toBe(text(realistic, { requests: true }));
    expect(colored).not.toBe(text(realistic, { requests: true }));
  });

  it('is no wider than asked, but for what cannot be broken', () => {
    const wide = text(realistic)
      .split('\n')
      .filter((line) => line.length > 80);
    expect(wide).toEqual([]);
  });
});

describe('fields', () => {
  it('keeps text apart from what only looks like it', () => {
    const fields = [
      '',
      ' a',
      'true',
      '12',
      '1.10',
      '76.76.21.21',
      '(secret)',
      '${secret.x}',
      'a → b',
      'say "hi"',
      'null',
    ].map((value, i) => set(`f${i}`, value));
    expect(one('create', 'a', { fields })).toMatchInlineSnapshot(`
      "  +   a  thing
            f0:  ""
            f1:  " a"
            f2:  "true"
            f3:  "12"
            f4:  "1.10"
            f5:  76.76.21.21
            f6:  "(secret)"
            f7:  "\${secret.x}"
            f8:  "a → b"
            f9:  say "hi"
            f10: "null""
    `);
  });

  it('shows holes and secrets by name', () => {
    const fields = [
      set('project', ref('projects/web')),
      set('zone', ref('domains/example.com', 'name')),
      set('url', { $join: ['https://', ref('projects/web'), '.example.com'] }),
      set('dsn', { $join: ['postgres://app:', secret('pw'), '@db'] }),
      set('token', new Sealed('canary', 'token')),
      set('all', [{ key: secret('pw') }, new Sealed('canary')]),
    ];
    const plan = planOf({ changes: [change('create', 'projects/web'), change('create', 'x', { fields })] });
    expect(text(plan)).toContain(`
      project: \${projects.web.id}  (known after apply)
      zone:    \${domains[example.com].name}
      url:     https://\${projects.web.id}.example.com
      dsn:     (secret) \${secret.pw}
      token:   (secret) \${secret.token}
      all:     [{ key: \${secret.pw} }, (secret)]`);
  });

  it('says why a field differs', () => {
    const [before, after] = ['x', 'y'];
    const sealed = new Sealed('canary');
    const fields = [
      { path: 'edit', before, after, cause: 'edit' as const },
      { path: 'new', after, cause: 'edit' as const },
      { path: 'reset', before, after: null, cause: 'edit' as const },
      { path: 'drift', before, after, cause: 'drift' as const },
      { path: 'conflict', before, after, cause: 'conflict' as const },
      { path: 'recorded', before: after, after, cause: 'recorded' as const },
      { path: 'released', before, cause: 'released' as const },
      { path: 'secret', before: sealed, after: sealed, cause: 'drift' as const, secret: true },
      { path: 'unverified', after: sealed, cause: 'unverified' as const, secret: true },
    ];
    expect(text(planOf({ changes: [change('update', 'a', { fields })] }))).toMatchInlineSnapshot(`
      "Stack acme-production
        ~ update

      --- CONFLICT: changed both outside and here (1) --------------------------------
        ~   a  thing
            edit:       x → y
            new:        (unset) → y
            reset:      x → null
            drift:      x → y  (changed outside: reverts)
            conflict:   x → y  (conflict: changed outside and here)
            recorded:   y  (already set)
            released:   x  (no longer managed)
            secret:     (secret, changed)  (changed outside: reverts)
            unverified: (secret, not verified)

      1 field changed both outside and here: approving this plan, or
      --overwrite-conflicts, overwrites the outside changes. To keep the outside
      changes, run \`trueup accept 'a'\`.
      1 secret cannot be read back and compared; sent again because of
      --send-unverified.

      Plan: 0 to create, 0 to adopt, 1 to update, 0 to delete. 0 requests."
    `);
  });

  it('shows a small diff of long text and of structures', () => {
    const lines = (middle: string) =>
      ['one', 'two', 'three', 'four', middle, 'six', 'seven', 'eight'].join('\n');
    const list = (last: number) => ({
      ips: Array.from({ length: 30 }, (_, i) => `10.0.0.${i === 29 ? last : i}`),
    });
    const fields = [edit('script', lines('five'), lines('5')), edit('rules', list(29), list(30))];
    expect(one('update', 'a', { fields })).toMatchInlineSnapshot(`
      "  ~   a  thing
            script:
                ...
              | three
              | four
              - five
              + 5
              | six
              | seven
            rules:
                ...
              |   - 10.0.0.27
              |   - 10.0.0.28
              -   - 10.0.0.29
              +   - 10.0.0.30"
    `);
  });

  it('cuts what is long, and says so', () => {
    const fields = [
      set('text', 'x'.repeat(200)),
      set('script', Array.from({ length: 40 }, (_, i) => `line ${i}`).join('\n')),
      edit(
        'url',
        `https://${'a'.repeat(100)}/old/${'b'.repeat(100)}`,
        `https://${'a'.repeat(100)}/new/${'b'.repeat(100)}`,
      ),
    ];
    expect(one('create', 'a', { fields })).toMatchInlineSnapshot(`
      "  +   a  thing
            text:   xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… (200 characters)
            script:
              | line 0
              | line 1
              | line 2
              | line 3
              | line 4
              | line 5
              | line 6
              | line 7
              | line 8
              | line 9
              | line 10
              | line 11
              ... 28 more lines
            url:
              - …aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/old/bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb…
              + …aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/new/bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb…"
    `);
    const whole = text(planOf({ changes: [change('update', 'a', { fields })] }), { verbose: true });
    expect(whole).toContain('x'.repeat(200));
    expect(whole).toContain('+ line 39');
    expect(whole).toContain(`+ https://${'a'.repeat(100)}/new/${'b'.repeat(100)}`);
  });

  it('shows a difference in characters that cannot be seen', () => {
    expect(
      one('update', 'a', { fields: [edit('v', 'pay\u200bpal', 'paypal'), edit('t', 'a\nb', 'a\r\nb')] }),
    ).toContain(String.raw`"pay\u200bpal" → paypal`);
  });

  it('has no line for the end of the last line, but says where that is what differs', () => {
    const lines = (before: string, after: string) =>
      one('update', 'a', { fields: [edit('v', before, after)] })!
        .split('\n')
        .slice(2);
    expect(lines('a\nb\n', 'a\nc\n')).toEqual(['        | a', '        - b', '        + c']);
    expect(lines('a\nb', 'a\nb\n')).toEqual(['        | a', '        | b', '        - \\ no line end here']);
    expect(one('create', 'a', { fields: [set('v', 'a\nb\n')] })).toMatch(/\| a\n +\| b$/);
  });

  story('draws up what two long texts have in common only if there is something', () => {
    const lines = (word: string) => Array.from({ length: 5000 }, (_, i) => `${word} ${i}`).join('\n');
    const shown = one('update', 'a', { fields: [edit('v', lines('a'), lines('b'))] });
    expect(shown).toContain('- a 0\n');
    expect(shown).toMatch(/\.\.\. 9970 more lines$/);
  });

  it('never hides that a secret deep inside changes', () => {
    const value = (text: string) => ({ headers: { authorization: new Sealed(text) } });
    expect(one('update', 'a', { fields: [edit('v', value('a'), value('b'))] })).toContain(
      '(a secret in it changes)',
    );
  });
});

describe('sections', () => {
  const gone = { reason: 'removed', grade: 'irreversible' as const };

  it('puts what destroys at the end, below a heading, and $exclusive before it', () => {
    const changes = [
      change('delete', 'a', gone),
      change('delete', 'b', { reason: 'not declared ($exclusive)', exclusive: true, grade: 'destructive' }),
      change('delete', 'c'),
      change('create', 'd'),
      change('delete', 'e', { grade: 'destructive' }),
    ];
    const lines = text(planOf({ changes })).split('\n');
    const place = (start: string) => lines.findIndex((line) => line.startsWith(start));
    const order = [
      '  -   c',
      '  +   d',
      '--- Not in',
      '  -   b',
      '--- DESTRUCTIVE',
      '  -   e',
      '--- IRREVERSIBLE',
      '  -   a',
      'Plan:',
    ].map(place);
    expect(order).not.toContain(-1);
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  it('tells deletions that are alike together, only if all of what goes is the same', () => {
    const variable = (target: string, tail = '') => {
      const address = `projects/web/env/OLD@${target}`;
      const fields = { key: 'OLD', target, value: 'x'.repeat(100) + tail, a: 1, b: 2, c: 3, type: 'plain' };
      const before = { address, kind: 'thing', id: address, ids: [address], fields, index: 0 };
      return change('delete', address, { ...gone, parent: 'projects/web', before });
    };
    const shown = (...changes: ReturnType<typeof variable>[]) => text(planOf({ changes })).split('\n\n')[1];
    expect(
      shown(variable('development'), variable('preview'), variable('production')),
    ).toMatchInlineSnapshot(`
      "--- IRREVERSIBLE: review each of these (3) -------------------------------------
        -   projects/web/env/OLD@development  thing
            # removed
            # irreversible
            value: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… (100 characters)
            a:     1
            b:     2
            c:     3
            ... 1 more field"
    `);
    // What differs is cut in both.
    expect(shown(variable('development'), variable('preview', 'y'))).not.toContain('preview');
  });

  it('writes adoptions that send nothing without gaps', () => {
    const changes = ['a', 'b', 'c'].map((address) => change('adopt', address));
    expect(text(planOf({ changes: changes.slice(1) }))).toContain('  =   b  thing\n  =   c  thing\n');
    expect(text(planOf({ changes }))).toContain('  =   3 things adopted as they are\n');
  });

  it('marks an adoption that sends something', () => {
    const plan = planOf({
      changes: [change('adopt', 'a')],
      operations: [operation(['a'], [{ endpoint: 'PATCH /a' }])],
    });
    expect(text(plan)).toContain('  =~  a  thing');
  });

  it('shows a request that serves several changes once, and every request somewhere', () => {
    const plan = planOf({
      changes: [change('create', 'a'), change('create', 'b'), change('noop', 'c')],
      operations: [
        operation(['b', 'a'], [{ endpoint: 'POST /things' }]),
        operation(['c'], [{ endpoint: 'PUT /c/{name}', params: { name: 'x/y' } }]),
      ],
    });
    expect(text(plan, { requests: true })).toMatchInlineSnapshot(`
      "Stack acme-production
        + create

        +   a  thing
            => POST /things

        +   b  thing
            => with a, above

        Also sent:
            => PUT /c/x%2Fy

      To send: 1 POST and 1 PUT in 2 operations.
      Plan: 2 to create, 0 to adopt, 0 to update, 0 to delete. 2 requests."
    `);
  });
});

it('begins with the stack and the account', () => {
  const first = (account: Account, width = 80) =>
    text(planOf({ account, changes: [change('create', 'a')] }), {
      style: styleFor({ color: false, width }),
    }).split('\n  + create')[0];
  expect(first({ type: 'team', name: 'acme' })).toBe('Stack acme-production, team acme');
  expect(first({ type: 'personal', name: 'ada', baseUrl: 'http://127.0.0.1:4000' })).toBe(
    'Stack acme-production, personal account ada at http://127.0.0.1:4000',
  );
  expect(first({ type: 'team', name: 'acme', baseUrl: 'twin:' }, 40)).toBe(
    'Stack acme-production,\n  team acme on the embedded twin',
  );
});

describe('the end', () => {
  it('says when there is nothing', () => {
    const plan = planOf({
      changes: [change('noop', 'a')],
      unmanaged: [{ kind: 'thing', address: 'x', id: '1' }],
    });
    expect(text(plan)).toMatchInlineSnapshot(`
      "Not managed here, left alone: 1 thing.

      No changes. The account matches the configuration."
    `);
  });

  it('says of what nobody has counted', () => {
    const unmanaged = ['project', 'thing', 'thing'].map((kind, i) => ({ kind, address: `x${i}`, id: '1' }));
    const end = (more: Partial<Plan>) => text(planOf({ unmanaged, ...more })).split('\n')[0];
    expect(end({ partialKinds: ['project'] })).toBe(
      'Not managed here, left alone: project (not listed), 2 things.',
    );
    expect(end({ unmanaged: [], partialKinds: ['domain', 'project'] })).toBe(
      'Not managed here, left alone: domain (not listed), project (not listed).',
    );
    const plan = planOf({ unmanaged, partialKinds: ['project'] });
    expect(planMarkdown(plan)).toContain(
      '\nNot managed here, left alone: `project` (not listed), 2 `things`.\n',
    );
    expect(planHtml(plan)).toContain('<li>Not managed here: project (not listed), 2 things</li>');
    expect(planJson(plan)).toMatchObject({ summary: { unmanaged: 2 }, unlisted: ['project'] });
    expect(planJson(planOf({ unmanaged })).unlisted).toBeUndefined();
  });

  it('says what is not ready, and that this is no change', () => {
    const waiting = [
      { address: 'links/a', why: 'the owner has not accepted it yet', minutes: 10 },
      { address: 'links/b', why: 'ready once the owner has accepted it', minutes: 1 },
      {
        address: 'links/c',
        why: 'it was rejected: "a\u202eb\n::error::c `d` </code>"',
        failed: true as const,
        minutes: 5,
      },
    ];
    const plan = planOf({ changes: [change('noop', 'links/a')], waiting });
    expect(text(plan)).toMatchInlineSnapshot(`
      "Not ready yet (not a change):
        links/a: the owner has not accepted it yet (apply waits for it, up to 10
            minutes)
        links/b: ready once the owner has accepted it (apply waits for it, up to 1
            minute)
        links/c: it was rejected: "a\\u202eb ::error::c \`d\` </code>"

      No changes. The account matches the configuration."
    `);
    expect(planMarkdown(plan).split('\n\n').slice(-2).join('\n\n')).toMatchInlineSnapshot(`
      "#### Not ready yet (not a change) (3)

      - \`links/a\`: \`the owner has not accepted it yet (apply waits for it, up to 10 minutes)\`
      - \`links/b\`: \`ready once the owner has accepted it (apply waits for it, up to 1 minute)\`
      - \`links/c\`: \`\`it was rejected: "a\\u202eb ::error::c \`d\` </code>"\`\`
      "
    `);
    expect(
      planHtml(plan).match(/<section aria-labelledby="waiting"[\s\S]*?<\/section>/)![0],
    ).toMatchInlineSnapshot(`
      "<section aria-labelledby="waiting" class="sources">
      <h2 id="waiting">Not ready yet (not a change) <span class="count">3</span></h2>
      <ul>
      <li><code>links/a</code>: <code>the owner has not accepted it yet (apply waits for it, up to 10 minutes)</code></li>
      <li><code>links/b</code>: <code>ready once the owner has accepted it (apply waits for it, up to 1 minute)</code></li>
      <li><code>links/c</code>: <code>it was rejected: &#34;a\\u202eb ::error::c &#96;d&#96; &#60;/code&#62;&#34;</code></li>
      </ul></section>"
    `);
    expect(planJson(plan)).toMatchObject({ waiting });
    expect(planDocument.parse(planJson(plan))).toEqual(planJson(plan));
    expect(planJson(planOf()).waiting).toBeUndefined();
    expect(terraformPlan(plan).trueup).toMatchObject({ waiting });
    expect(planLines(plan).map((line) => line['@message'])).toContain(
      'Not ready yet (not a change): links/a: the owner has not accepted it yet (apply waits for it, up to 10 minutes)',
    );
  });

  it('counts most of what is not ready, where it is much', () => {
    const waiting = Array.from({ length: 23 }, (_, at) => ({ address: `links/${at}`, why: 'it is early' }));
    const [list] = text(planOf({ waiting })).split('\n\n');
    expect(list!.split('\n').length).toBe(1 + 20 + 1);
    expect(list).toMatch(/\n {2}\.\.\. and 3 more$/);
    expect(text(planOf({ waiting }), { verbose: true })).toContain('  links/22: it is early');
  });

  it('never claims "No changes" for an incomplete plan', () => {
    const diagnostics = [problem('observe/incomplete', 'domains could not be read: 503', { at: at(3) })];
    expect(text(planOf({ complete: false, diagnostics }))).toMatchInlineSnapshot(`
      "This plan is incomplete; not compared:
        - domains could not be read: 503

      Plan: 0 to create, 0 to adopt, 0 to update, 0 to delete. 0 requests. Incomplete."
    `);
  });

  it('says what a yes to a conflict means, unless it is refused', () => {
    const fields = [{ ...edit('a', 1, 2), cause: 'conflict' as const }];
    const plan = planOf({ changes: [change('update', 'x', { fields })] });
    expect(text(plan).replace(/\s+/g, ' ')).toContain(
      "overwrites the outside changes. To keep the outside changes, run `trueup accept 'x'`.",
    );
    const diagnostics = [problem('guard/conflict', 'x: `a` changed here and in the account')];
    expect(text({ ...plan, diagnostics })).not.toContain('approving');
  });

  it('a conflict that it shows is no warning, other warnings come before it, errors after it', () => {
    const diagnostics = [
      problem('guard/protected', 'no'),
      warning('guard/conflict', 'x: `a` changed here and in the account'),
      warning('secret/unset', 'look'),
    ];
    const { warnings, errors } = planReport(planOf({ diagnostics }), { style: plainStyle, requests: false });
    expect(warnings).toBe('Warning: look [secret/unset]\n\n1 warning');
    expect(errors).toBe('Error: no [guard/protected]\n\n1 error');
  });

  it('says of a replacement which comes first', () => {
    const marked = (...methods: ('POST' | 'DELETE')[]) =>
      text(
        planOf({
          changes: [change('replace', 'x')],
          operations: [
            operation(
              ['x'],
              methods.map((method) => ({ endpoint: `${method} /v1/x` as const })),
            ),
          ],
        }),
      );
    expect(marked('DELETE', 'POST')).toContain('-/+ delete, then recreate');
    expect(marked('POST', 'DELETE')).toContain('+/- create first, then delete');
  });

  it('says where edits and drift cannot be told apart', () => {
    const fields = [{ ...edit('a', 1, 2), cause: 'unknown' as const }];
    expect(text(planOf({ changes: [change('update', 'x', { fields })] }))).toContain(
      'For 1 field it is unclear',
    );
    expect(text(planOf({ changes: [change('adopt', 'x', { fields })] }))).not.toContain('cannot be told');
  });
});
