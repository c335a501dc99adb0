import { expect, it } from 'vitest';
// @ts-expect-error: what builds has no types.
import { releaseNotes } from '../../build/release-notes.mjs';

const changelog = '# Changes\n\nRules.\n\n## Unreleased\n\n- New.\n\n## 0.1.0\n\n- First.\n- Second.\n';

it('the notes of a release are the section of its version, or else the changes that are not released', () => {
  expect(releaseNotes(changelog, '0.1.0')).toBe('- First.\n- Second.\n');
  expect(releaseNotes(changelog, '0.2.0')).toBe('- New.\n');
  expect(() => releaseNotes('# Changes\n', '0.2.0')).toThrow('no section 0.2.0 and no section Unreleased');
});
