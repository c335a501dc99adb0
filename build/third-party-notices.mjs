const line = '-'.repeat(80);

/** Returns the content of THIRD-PARTY-NOTICES.txt: the licence texts of all bundled packages, and of the code that these contain. */
export function thirdPartyNotices(packages) {
  const notices = packages.map(({ name, version, license, texts, carries }) => {
    const carriedNotices = carries.map(
      (carried) =>
        `${name} carries ${carried.name} (${carried.license}), as ${carried.as}: the same terms, and\n${carried.copyright}`,
    );
    return [`${name} ${version} (${license})`, ...texts, ...carriedNotices].join('\n\n');
  });
  return `trueup contains code of these packages.\n\n${notices.map((notice) => `${line}\n${notice}\n`).join('\n')}`;
}
