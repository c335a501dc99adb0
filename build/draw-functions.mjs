// Draws functions of src at random, so that somebody who has not seen the code can say whether each one can be understood alone.
//
//   node build/draw-functions.mjs SEED [COUNT]            prints comment, signature and body of COUNT functions (30), numbered
//   node build/draw-functions.mjs SEED [COUNT] --places   prints where they are, to compare the reader's answers with the code
//
// The same seed draws the same functions as long as the code is the same.

import { readdirSync, readFileSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';

const shortest = 5; // lines; shorter functions explain themselves

const places = process.argv.includes('--places');
const [seed = '1', count = '30'] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));

const functions = sourceFiles().flatMap(functionsIn);
for (const [index, drawn] of draw(functions, Number(count), randomNumbers(Number(seed))).entries()) {
  if (places) console.log(`${index + 1}. ${drawn.file}:${drawn.line} ${drawn.name}`);
  else console.log(`--- ${index + 1}\n${drawn.text}\n`);
}

/** Returns the paths of all TypeScript files of src, sorted. */
function sourceFiles() {
  const names = readdirSync('src', { recursive: true }).filter((name) => name.endsWith('.ts'));
  return names.sort().map((name) => `src/${name}`);
}

/** Returns the named functions and the methods at the top level of a file that are long enough, each with the comment above it. */
function functionsIn(file) {
  const source = readFileSync(file, 'utf8');
  const lineOf = (offset) => source.slice(0, offset).split('\n').length;
  return parseAst(source, { lang: 'ts' })
    .body.flatMap(declarationsIn)
    .filter(({ node }) => lineOf(node.end) - lineOf(node.start) + 1 >= shortest)
    .map(({ name, node }) => {
      const start = startOfComment(source, node.start);
      return { file, name, line: lineOf(node.start), text: source.slice(start, node.end) };
    });
}

/** Returns name and node of each function which a top-level statement declares. */
function declarationsIn(statement) {
  const declaration = statement.declaration ?? statement;
  if (declaration.type === 'FunctionDeclaration')
    return [{ name: declaration.id?.name ?? 'default', node: statement }];
  if (declaration.type === 'VariableDeclaration')
    return declaration.declarations
      .filter(({ init }) => /^(Arrow)?FunctionExpression$/.test(init?.type ?? ''))
      .map(({ id }) => ({ name: id.name, node: statement }));
  if (declaration.type === 'ClassDeclaration')
    return declaration.body.body
      .filter((member) => member.type === 'MethodDefinition')
      .map((member) => ({ name: `${declaration.id.name}.${member.key.name}`, node: member }));
  return [];
}

/** Returns the offset at which the comment directly above `start` begins, or `start` if there is no comment. */
function startOfComment(source, start) {
  const above = source.slice(0, start).trimEnd();
  const lines = above.split('\n');
  // Searched by line, because a comment can contain the same characters, for example in a glob.
  if (above.endsWith('*/')) {
    const firstLine = lines.findLastIndex((line) => line.trimStart().startsWith('/*'));
    return above.length - lines.slice(firstLine).join('\n').trimStart().length;
  }
  const firstCommentLine = lines.findLastIndex((line) => !line.trimStart().startsWith('//')) + 1;
  return firstCommentLine < lines.length ? lines.slice(0, firstCommentLine).join('\n').length + 1 : start;
}

/** Returns `count` different items in random order. */
function draw(items, count, random) {
  const undrawn = [...items];
  return Array.from({ length: Math.min(count, undrawn.length) }, () =>
    undrawn.splice(Math.floor(random() * undrawn.length), 1).at(0),
  );
}

/** Returns a generator of numbers from 0 to 1 that depends on the seed alone (the public-domain algorithm mulberry32). */
function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
