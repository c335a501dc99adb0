import { beforeEach, describe, expect, it } from 'vitest';
import {
  type CommentOptions,
  replaceReports,
  reportFoot,
  upsertComment,
} from '../../src/github/upsert-comment.ts';
import { OutOfBounds } from '../../src/http/errors.ts';
import { Problems } from '../../src/model/diagnostic.ts';
import { stackMarker } from '../../src/report/markdown/forms.ts';
import { failure, json, serve } from '../http/serve.ts';
import { type FakeGithub, startGithub } from '../support/github.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(3);

const marker = stackMarker('shop');
let github: FakeGithub;
beforeEach(async () => {
  github = await startGithub();
});

const comment = () => ({
  apiUrl: github.url,
  token: 'token',
  owner: 'acme',
  repo: 'site',
  number: 7,
});

const upsert = (text: string, more: Partial<CommentOptions> = {}) =>
  upsertComment({
    ...comment(),
    marker,
    body: `${marker}\n\n${text}`,
    ...more,
  });
const bodies = () => github.comments.get(7)!.map(({ body }) => body);
const bot = 'github-actions[bot]';

describe('one comment for each stack', () => {
  it('is written, then updated in place, then left alone', async () => {
    expect(await upsert('one')).toMatchObject({ done: 'created', url: expect.stringContaining('/pull/7#c') });
    expect(await upsert('two')).toMatchObject({ done: 'updated' });
    expect(bodies()).toEqual([`${marker}\n\ntwo`]);
    const since = github.requests.length;
    expect(await upsert('two')).toMatchObject({ done: 'unchanged' });
    expect(github.requests.slice(since).filter((line) => !line.startsWith('GET'))).toEqual([]);
  });

  it('says at its end of which commit and run it is; the same plan of another one is no news', async () => {
    const foot = (head: string, id = '12') =>
      reportFoot(
        { GITHUB_SERVER_URL: 'https://github.test', GITHUB_REPOSITORY: 'acme/site', GITHUB_RUN_ID: id },
        head,
      );
    const [one, two] = ['a', 'b'].map((digit) => digit.repeat(40)) as [string, string];
    expect(await upsert('plan', { foot: foot(one) })).toMatchObject({ done: 'created' });
    const commented = `${marker}\n\nplan\n\nPlan of \`aaaaaaa\`, [run](https://github.test/acme/site/actions/runs/12)`;
    expect(bodies()).toEqual([commented]);
    for (const again of [foot(two, '13'), ''])
      expect(await upsert('plan', { foot: again })).toMatchObject({ done: 'unchanged' });
    expect(bodies()).toEqual([commented]);
    expect(await upsert('news', { foot: foot(two) })).toMatchObject({ done: 'updated' });
    expect(bodies()).toEqual([expect.stringMatching(/news\n\nPlan of `bbbbbbb`/)]);
    // What is no number, or no commit, is no part of a link.
    expect([foot(one, '1) x'), foot('main')]).toEqual(['', '']);
  });

  story(
    'a failure that knows no stack takes the place of each report of an earlier push, and of nothing else',
    async () => {
      const env = {
        GITHUB_SERVER_URL: 'https://github.test',
        GITHUB_REPOSITORY: 'acme/site',
        GITHUB_RUN_ID: '12',
      };
      const [earlier, now] = ['a', 'b'].map((digit) => reportFoot(env, digit.repeat(40))) as [string, string];
      const of = (stack: string, foot: string) => {
        const own = stackMarker(stack);
        return upsert('', { marker: own, body: `${own}\n\nplan of ${stack}`, foot });
      };
      await of('shop', earlier);
      await of('docs', now);
      github.say(7, bot, 'hello');
      const [, docs, hello] = bodies();
      const isMarker = (line: string) => line.startsWith('<!-- trueup');
      const report = { ...comment(), body: 'broken', foot: now };
      expect(await replaceReports(report, isMarker)).toHaveLength(1);
      expect(bodies()).toEqual([`${marker}\nbroken\n\n${now}`, docs, hello]);
      expect(await replaceReports(report, isMarker)).toEqual([]);
      expect(await of('shop', now)).toMatchObject({ done: 'updated' });
    },
  );

  it('is found behind many others', async () => {
    for (let i = 0; i < 230; i++) github.say(7, 'ada', `comment ${i}`);
    await upsert('one');
    for (let i = 0; i < 100; i++) github.say(7, 'ada', `comment ${i}`);
    expect(await upsert('two')).toMatchObject({ done: 'updated' });
    expect(bodies().filter((body) => body.startsWith(marker))).toEqual([`${marker}\n\ntwo`]);
  });

  it('another stack, another pull request and other people keep theirs', async () => {
    const other = stackMarker('shop-staging');
    github.say(7, bot, `${other}\n\nstaging`);
    github.say(7, 'ada', `${marker}\n\nI copied this`);
    github.say(7, bot, `> ${marker}\n\nquoted`);
    github.say(8, bot, `${marker}\n\nanother`);
    expect(await upsert('mine')).toMatchObject({ done: 'created' });
    expect(bodies()).toHaveLength(4);
    expect(bodies()[3]).toBe(`${marker}\n\nmine`);
    expect(github.comments.get(8)![0]!.body).toContain('another');
  });

  it('is that of whose token it is, or of whom it is said to be', async () => {
    github.say(7, bot, `${marker}\n\nof the bot`);
    expect(await upsert('of Ada', { token: 'personal' })).toMatchObject({ done: 'created' });
    expect(await upsert('again', { token: 'personal', author: 'ada' })).toMatchObject({ done: 'updated' });
    expect(bodies()).toEqual([`${marker}\n\nof the bot`, `${marker}\n\nagain`]);
  });
});

describe('errors say what to do', () => {
  const told = async (promise: Promise<unknown>) => (await failure(promise, Problems)).diagnostics[0]!;

  it('a token that only reads, or that is none', async () => {
    github.refuse = { status: 403, message: 'Resource not accessible by integration' };
    expect((await told(upsert('x'))).hint).toMatch(/pull-requests: write.*fork/);
    expect((await told(upsert('x', { token: 'wrong' }))).hint).toMatch(/GITHUB_TOKEN/);
  });

  it('no such pull request, an address that is not the API, one that is not encrypted', async () => {
    expect((await told(upsert('x', { repo: 'other' }))).hint).toMatch(/pull request 7 exist in acme\/other/);
    expect((await told(upsert('x', { apiUrl: 'http://example.com' }))).message).toMatch(/not encrypted/);
  });

  it('the token is in none of them', async () => {
    const { message, hint } = await told(upsert('x', { token: 'wrong-secret-token' }));
    expect(`${message} ${hint}`).not.toContain('wrong-secret-token');
  });
});

describe('whatever answers in the place of GitHub', () => {
  const answering = (text: (path: string) => string) =>
    serve((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(text(request.url ?? ''));
    });

  story('is not read without end', async () => {
    const deep = await answering(() => '['.repeat(100_000));
    expect(await failure(upsert('one', { apiUrl: deep, author: 'me' }), OutOfBounds)).toMatchObject({
      code: 'http/out-of-bounds',
    });
    const page = JSON.stringify(Array.from({ length: 100 }, () => ({ body: 'x' })));
    const endless = await answering(() => page);
    const { diagnostics } = await failure(upsert('one', { apiUrl: endless, author: 'me' }), Problems);
    expect(diagnostics).toMatchObject([{ code: 'comment/server' }]);
    const odd = await answering(() => '[null]');
    const refused = await failure(upsert('one', { apiUrl: odd, author: 'me' }), Problems);
    expect(refused.diagnostics).toMatchObject([{ code: 'comment/server' }]);
  });

  it('may quote the token, and nobody sees it', async () => {
    const url = await serve((request, response) =>
      json(response, 403, { message: `no, ${request.headers.authorization} may not` }),
    );
    const token = 'ghs_a-token-of-github';
    const { diagnostics } = await failure(upsert('one', { apiUrl: url, token, author: 'me' }), Problems);
    expect(diagnostics[0]!.message).toContain('answered 403: no, Bearer (secret) may not');
  });
});
