import { expect, it } from 'vitest';
import { isBinary } from '../../src/api/read-response.ts';

it.each([
  ['text', Buffer.from('täxt ok'), false],
  ['no bytes', Buffer.from(''), false],
  ['text with the character for an invalid one', Buffer.from('a\ufffdbcdef'), false],
  ['text whose last character is cut', Buffer.from('a€').subarray(0, 3), false],
  ['long text with a character across the end of the sample', Buffer.from(`${'a'.repeat(4095)}€`), false],
  ['a NUL byte', Buffer.from('abc\0'), true],
  ['one byte that no character begins with', Buffer.from([0xff]), true],
  ['two bytes', Buffer.from([0x61, 0x80]), true],
  ['three bytes in Latin-1', Buffer.from([0xe9, 0x74, 0xe9]), true],
  ['text with an invalid byte near its end', Buffer.from([...Buffer.from('abcdef'), 0xc3, 0x28]), true],
])('%s', (_, start, expected) => {
  expect(isBinary(start)).toBe(expected);
});
