import { expect, onTestFinished } from 'vitest';
import { inFront } from '../support/in-front.ts';
import { site, siteYaml as yaml } from '../support/site.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const run34 = '[run](https://github.test/acme/site/actions/runs/34)';

story(
  'after the merge the same comment says what is planned there, what was applied, what failed and what comes next',
  async () => {
    const { twin, github, push, pull, run, machine, comments } = await site();
    const front = await inFront(
      () => twin.url,
      async ({ method, path }, pass) =>
        isBroken && method !== 'GET' && path.includes('/env')
          ? { status: 400, body: Buffer.from('{"error":{"code":"bad_request","message":"@everyone no"}}') }
          : pass(),
    );
    onTestFinished(front.close);
    let isBroken = true;
    const { env } = machine();
    const merge = (level: string) => {
      const sha = push('main', yaml(level));
      github.pulls.set(sha, [
        { number: 7, merged_at: '2026-11-23T10:00:00Z' },
        { number: 9, merged_at: null },
      ]);
      return { ...env, TRUEUP_BASE_URL: front.url, GITHUB_SHA: sha };
    };
    const event = pull(push('change', yaml('info')));
    await run('plan', { trigger: 'pull_request_target', event, env: { ...env, TRUEUP_BASE_URL: front.url } });
    expect(comments()).toEqual([expect.stringContaining('2 to create')]);

    // What waits for an approval is what was merged.
    const merged = merge('info');
    let waiting: string[] = [];
    const failed = await run('apply', {
      env: merged,
      before: {
        apply: () => {
          waiting = comments();
        },
      },
    });
    expect(failed).toMatchObject({ plan: { ok: true }, apply: { ok: false } });
    expect(waiting).toEqual([
      expect.stringMatching(/2 to create[\s\S]*\n\nMerged as `[0-9a-f]{7}`, \[run\]/),
    ]);

    const [said] = comments();
    expect(comments()).toHaveLength(1);
    expect(said).toMatch(
      /^<!-- trueup:plan:site -->\n\n### trueup apply: `site`, `team acme[^`]*`\n\n\*\*Apply failed: 1 done, 1 failed, 0 not tried\.\*\*/,
    );
    expect(said).toContain('Next: fix the errors below, then run the workflow again');
    expect(said).toMatch(
      /#### Failed \(1\)\n\nAt \[`trueup\.yaml:6`\]\(https:\/\/github\.test\/acme\/site\/blob\/[0-9a-f]{40}\/trueup\.yaml#L6\):\n\n```diff\n- projects\/web\/env\/LEVEL[^\n]*\n {2}Error: [^`]*@everyone no/,
    );
    expect(said).toMatch(/#### Done \(1\)\n\n<details><summary>1 created<\/summary>/);
    expect(said!.trimEnd().endsWith(`Merged as \`${merged.GITHUB_SHA.slice(0, 7)}\`, ${run34}`)).toBe(true);
    expect(github.comments.get(9)).toBeUndefined();

    // Run again once it is mended.
    isBroken = false;
    expect(await run('apply', { env: merged })).toMatchObject({ apply: { ok: true } });
    expect(comments()).toEqual([
      expect.stringMatching(/\*\*Applied 1 change: 1 created\.\*\* Verified: the account matches/),
    ]);

    // What is not the approved plan any more is not done, and the comment says so.
    const refused = await run('apply', {
      env: merge('warn'),
      before: {
        apply: () => {
          twin.account.projects[0]!.framework = 'astro';
        },
      },
    });
    expect(refused.apply!.ok).toBe(false);
    expect(comments()).toEqual([
      expect.stringMatching(/### trueup apply: `site`\n\n\*\*This could not be applied: /),
    ]);

    // A merge that cannot be planned does not leave an older report.
    const broken = push('main', { 'trueup.yaml': 'stack: [site\n' });
    github.pulls.set(broken, [{ number: 7, merged_at: '2026-11-23T11:00:00Z' }]);
    expect(await run('apply', { env: { ...merged, GITHUB_SHA: broken } })).toMatchObject({
      plan: { ok: false },
    });
    expect(comments()).toEqual([expect.stringMatching(/\*\*This could not be planned: [\s\S]*Merged as `/)]);

    // What nobody merged has no pull request to be told on; a comment that GitHub refuses does not undo an apply.
    const direct = push('main', yaml('warn'));
    const before = comments();
    github.refuse = { status: 403, message: 'Resource not accessible by integration' };
    expect(await run('apply', { env: { ...merged, GITHUB_SHA: direct } })).toMatchObject({
      apply: { ok: true },
    });
    expect(comments()).toEqual(before);
    const again = merge('error');
    expect(await run('apply', { env: again })).toMatchObject({ plan: { ok: true }, apply: { ok: true } });
  },
);
