import { existsSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
// @ts-expect-error: settings in JavaScript, for a program that is not installed here
import site from '../../docs/.vitepress/config.mjs';

interface Entry {
  link?: string;
  items?: Entry[];
}
const linksIn = ({ link, items = [] }: Entry): string[] => [
  ...(link === undefined ? [] : [link]),
  ...items.flatMap(linksIn),
];

test('the site has every page in its list, and no other', () => {
  const listed = (site.themeConfig.sidebar as Entry[]).flatMap(linksIn);
  const missing = listed.filter((link) => !existsSync(`docs${link}.md`));
  expect(missing).toEqual([]);
  const pages = ['', '/guides', '/kinds', '/commands'].flatMap((folder) =>
    readdirSync(`docs${folder}`)
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name.replace(/\.md$/, '')}`),
  );
  expect(pages.filter((page) => page !== '/index' && !listed.includes(page))).toEqual([]);
});

test('a link that leaves docs leads to the repository, and two braces are text', () => {
  const rules: Record<string, (text: string) => string> = {
    text: (text) => text,
    code_inline: (text) => text,
  };
  let leadOut: (state: unknown) => void = () => {};
  site.markdown.config({
    core: { ruler: { push: (_: string, rule: typeof leadOut) => (leadOut = rule) } },
    renderer: { rules },
  });
  const hrefs = ['../../SECURITY.md', '../concepts.md', '#drift', 'https://vercel.com'];
  const links = hrefs.map((href) => ({
    type: 'link_open',
    attrGet: () => href,
    set: '',
    attrSet(_: string, to: string) {
      this.set = to;
    },
  }));
  leadOut({ tokens: [{ children: links }], env: { relativePath: 'guides/drift.md' } });
  expect(links.map((link) => link.set)).toEqual([
    expect.stringMatching(/^https:.*\/blob\/main\/SECURITY\.md$/),
    '',
    '',
    '',
  ]);
  expect(rules.code_inline!('${{ x }}')).toBe('$&#123;&#123; x }}');
});
