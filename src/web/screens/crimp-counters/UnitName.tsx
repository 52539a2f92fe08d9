/** The name of a mini applicator: a usual one is never broken. */
export const UnitName = ({ children }: { children: string }) => (
  <strong
    className={`code text-lg md:max-lg:text-base ${children.length <= 14 ? 'whitespace-nowrap' : 'wrap-anywhere'}`}
  >
    {children}
  </strong>
)
