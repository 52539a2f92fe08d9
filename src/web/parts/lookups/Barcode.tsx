/** In two halves where there is no room for one line: never cut, never broken at random. */
export const Barcode = ({ text }: { text: string }) => (
  <span className="code text-sm md:max-lg:text-xs">
    <span className="whitespace-nowrap">{text.slice(0, 11)}</span>
    <wbr className="@min-[64rem]:hidden" />
    <span className="whitespace-nowrap">{text.slice(11)}</span>
  </span>
)
