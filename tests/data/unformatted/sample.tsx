import React, {useState} from 'react'
type Props = {a : string, children? : React.ReactNode}
export const App : React.FC<Props> = ({a, children}) => {
  const [x, setX] = useState<number | null>(null)
  return <div className='  app   main ' title="a 'b'" data-x={'y'} onClick={() => setX(x + 1)} {...rest}>
    Hello, <b>world</b>! {a} and {x ? <i>yes</i> : <u>no</u>} {" "}
    {/* a remark */}
    <Item key={1} label='say "hi"' render={() => <span>{a}</span>} disabled /> text &nbsp; after
    {items.map(item => <li key={item.id}>{item.name} ({item.count})</li>)}
    {a && <p>a very long paragraph of text that will certainly have to be broken into more than one line by any formatter</p>}
    <></>
    <A.B c={d} e />{a}{b} {c}
    </div>
}
function Row<T>({ items } : { items : T[] }) { return (<tr>{items.length > 0 ? items.map((i) => <td>{String(i)}</td>) : null}</tr>) }
export default React.memo(App)
