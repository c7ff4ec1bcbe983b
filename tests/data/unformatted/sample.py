u'''Rates of  exchange.'''
import os, sys
from collections import (OrderedDict,
    defaultdict as dd,)
RATE, LIMIT = (1E5), 0XFF
NAMES = ['a',
   'b', "it's", 'say "x"', u'u', R'\d', B'raw', 'one ' 'two ' f'{RATE!r:>10}' "{literal}"]
EMPTY = ( )
ONE = (1,)
x = y = (RATE)
if (LIMIT > 10): print( (LIMIT) ); y = 2 ; z = 3

class Rates( ):
    '''Keeps  rates.'''
    base : (str) = 'EUR'
    @ property
    def size (self) -> (int): return len( self.rates )
    def __init__(self, rates = { 'a':1 , 'b' : 2, }, * , strict=True, ** rest):
      '''Takes rates.'''
      self.rates = rates ; self.rest=rest
      assert (strict), 'not strict'
      for (name, value) in (rates.items()):
          if not(value) :
              del (self.rates[ name ]), rest
          elif value<0 and (value!=-1 or (name)):
              raise (ValueError)('negative: %s' % (name))
          else : self.rates[name]= value ** 2 if value else (None)

    async def fetch(self, url, ) -> list[ int ]:
        with (open(url)) as f, open('b') as g :
            data = await (self.read(f , g))
        async with (self.session as s, self.other,): pass
        try: return [ (a, b) for (a, b) in data if (a) ]
        except (OSError , ValueError) as error : print( error , file = sys.stderr)
        finally :
            pass
        return { key : value for key,value in data } , { * data , } , ( yield_ for yield_ in data )
    def pick(self, what):
        match (what) :
            case (1): return 'one'
            case (a , b) if (a): return a , b
            case { 'k' : v , ** rest} : return v
            case Rates(base = 'EUR') | None : return what [ 1 : 2 , :: 3 ]
        while ( True ) :
            if (n := len(what)) > 10 : break
            continue
        print(f'{ self . base :{ n }} {{not}} {what[ "a" ]!s}' , lambda a , b = 1 : (a + b) * n , end = '')
        global RATE ; RATE = RATE + \
            1
        return (not what) , (a if b else c) , - (1) , x [ 1 , ] , x [ (1) ]
def f ( a , / , b , * args , c : int=1 , ** kw ) : # why
    # a remark
    def inner ( ) : yield (a) ; yield from (b)
    return (inner)(* args , ** kw)


@ dd
def long_name_of_function(first_parameter, second_parameter, third_parameter): return first_parameter(second_parameter).third(third_parameter, first_parameter)[second_parameter].fourth("text", 'other')
