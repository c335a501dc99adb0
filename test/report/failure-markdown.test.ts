import { expect, it } from 'vitest';
import { problem, warning } from '../../src/model/diagnostic.ts';
import { applyCommentMarkdown } from '../../src/report/markdown/applied-markdown.ts';
import { commentLimit } from '../../src/report/markdown/forms.ts';
import { failureMarkdown, stacksMarkdown } from '../../src/report/markdown/stacks-markdown.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { at } from './builders.ts';

const story = oneStoryIn(4);

const failure = { command: 'plan', done: 'planned', stack: 'shop' };

it('has the marker of the stack, how many errors there are, and what to do about each', () => {
  const error = problem('config/unknown-key', '`web` has no `framwork`', {
    at: at(3, 5),
    hint: 'did you mean `framework`?',
  });
  expect(failureMarkdown({ ...failure, diagnostics: [error, warning('a/b', 'is odd')] })).toBe(
    `<!-- trueup:plan:shop -->

### trueup plan: \`shop\`

**This could not be planned: 1 error.**

\`\`\`diff
- Error: \`web\` has no \`framwork\`
  at trueup.yaml:3:5
  -> did you mean \`framework\`?
\`\`\`
`,
  );
});

it('text from outside stays within its block', () => {
  const diagnostics = [problem('a/b', '```\n@everyone <img src=x>\n::error::x')];
  const lines = failureMarkdown({ ...failure, diagnostics }).split('\n');
  expect(lines.slice(6, 10)).toEqual([
    '````diff',
    '- Error: ```',
    '  | @everyone <img src=x>',
    '  | ::error::x',
  ]);
  expect(lines[10]).toBe('````');
});

story('is never too long, and counts what it leaves out', () => {
  const diagnostics = Array.from({ length: 2000 }, (_, n) => problem('a/b', `${n} ${'ü'.repeat(300)}`));
  const text = failureMarkdown({ ...failure, diagnostics }, 10_000);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(10_000);
  const told = text.match(/^- Error: /gm)!.length;
  expect(text).toContain(`**Truncated: ${2000 - told} errors.**`);
});

it('stays within a comment for hundreds of stacks, of which it names the first', () => {
  const stacks = Array.from({ length: 900 }, (_, index) => ({
    id: `services/${'service-'.repeat(10)}${index}`,
    failed: [problem('a/b', 'is bad')],
  }));
  const ofPlan = stacksMarkdown(stacks.map((stack) => ({ ...stack, path: stack.id, needs: [] })));
  const ofApply = applyCommentMarkdown({ parts: stacks })!;
  for (const text of [ofPlan, ofApply]) {
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(commentLimit);
    expect(/Truncated: (`services.*) and \d+ more/.exec(text)?.[1]?.split(', ')).toHaveLength(10);
  }
});

it('keeps room for the names of the stacks that it leaves out, however long they are', () => {
  const stacks = Array.from({ length: 110 }, (_, index) => {
    const id = index < 100 ? `s${index}` : `services/${'service-'.repeat(40)}${index}`;
    return { id, path: id, needs: [], failed: [problem('a/b', 'is bad '.repeat(index < 100 ? 1 : 200))] };
  });
  for (const limit of [9_000, 12_000]) {
    const texts = [stacksMarkdown(stacks, undefined, limit), applyCommentMarkdown({ parts: stacks }, limit)!];
    for (const text of texts) {
      expect(text).toContain('**Truncated: ');
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit);
    }
  }
});
