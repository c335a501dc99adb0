import { expect, test } from 'vitest';
import { listMemberTexts } from '../../src/config/values/dotenv.ts';

test.each([
  ['TOKEN=abcdef\nFLAG=true\nOTHER=False\n', ['abcdef']],
  ['{"TOKEN": "abcdef", "FLAG": true, "OTHER": "false"}', ['abcdef']],
  ['just a text', []],
])('a text with several secrets has no common word as a secret: %j', (text, secrets) => {
  expect(listMemberTexts(text)).toEqual(secrets);
});
